// The page under test. Its addresses are known when it is built.
import { type Client, createClient } from "./client";

const client = createClient({
  museum: import.meta.env["VITE_MUSEUM_URL"],
  account: import.meta.env["VITE_ACCOUNT_URL"],
});
(globalThis as unknown as { client: Client }).client = client; // for a developer's console, and for tests

async function show(): Promise<void> {
  const events = await client.listEvents();
  const items = events.kind === "done" ? events.value : [];
  document
    .querySelector("ul")
    ?.replaceChildren(
      ...items.map(({ name }) => Object.assign(document.createElement("li"), { textContent: name })),
    );
}

const form = document.querySelector("form");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = String(new FormData(form).get("name"));
  const dates = [new Date().toISOString().slice(0, 10)];
  const outcome = await client.addEvent({
    name,
    location: "Hall 2",
    eventDescription: "After dark",
    dates,
    price: 1,
  });
  const output = document.querySelector("output");
  if (output) output.textContent = outcome.kind;
  await show();
});
await show();
