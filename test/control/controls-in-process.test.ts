import { createSandbox } from "../../src/open/create-sandbox.ts";
import { CLOCK, describeControls } from "./controls-contract.ts";

describeControls("in process", async () => {
  const sandbox = await createSandbox({ clock: CLOCK });
  return { sandbox, end: () => sandbox.close() };
});
