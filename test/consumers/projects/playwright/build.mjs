// Builds the page within `vitrine exec`: its addresses are those of the sandbox that runs meanwhile.

import { build } from "vite";

const { output } = await build({ logLevel: "silent", build: { write: false } });
const text = output.map(({ code = "" }) => code).join("");
const isThere = [process.env["VITE_MUSEUM_URL"], process.env["VITE_ACCOUNT_URL"]].every((url) =>
  text.includes(url),
);
console.log(`# pass ${isThere ? 1 : 0}\n# fail ${isThere ? 0 : 1}`);
