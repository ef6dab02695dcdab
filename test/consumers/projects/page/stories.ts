// Stories as Storybook loads them: the loader of its MSW addon starts the worker, each story brings its handlers.

import { initialize, mswLoader } from "msw-storybook-addon";
import { createSandbox } from "vitrine/browser";
import { handlers } from "vitrine/msw";

initialize({ quiet: true, onUnhandledRequest: "bypass" });

const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
const parameters = { msw: { handlers: handlers(sandbox, { museum: "https://api.museum.example/v1.1" }) } };

/** As in a file of stories: the list as it is, and while the service is away. */
export const List = { parameters, loaders: [mswLoader] };
export const Away = {
  parameters,
  loaders: [
    mswLoader,
    async () => sandbox.use({ at: "edge", when: { service: "museum" }, then: { respond: { status: 503 } } }),
  ],
};

/** What Storybook does before it draws a story, and what the story's component then gets. */
async function show(story: typeof List | typeof Away): Promise<number> {
  for (const loader of story.loaders) await loader({ parameters: story.parameters } as never);
  const answer = await fetch("https://api.museum.example/v1.1/special-events", {
    headers: sandbox.auth.basic(),
  });
  return answer.status;
}

Object.assign(globalThis, { stories: async () => [await show(List), await show(Away)] });
