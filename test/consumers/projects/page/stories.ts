// Shows the stories of recipes/msw.md as Storybook does.

import preview from "./.storybook/preview";
import meta, { Away, List } from "./events.stories";

/** What Storybook does before it draws a story, and the text of its element. */
async function show(story: { beforeEach?(): void }): Promise<string> {
  for (const loader of preview.loaders) await loader(meta as never);
  meta.beforeEach();
  story.beforeEach?.();
  const element = meta.render();
  await new Promise((resolve) => new MutationObserver(resolve).observe(element, { childList: true }));
  return element.textContent;
}

Object.assign(globalThis, { stories: async () => [await show(List), await show(Away), await show(List)] });
