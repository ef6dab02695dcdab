/**
 * What browsers get of the dashboard: its script and its style, as texts. The build puts the finished texts in the place of
 * this module; in the sources they are made when it is loaded.
 */

type Bundler = { browserFiles(): Promise<{ readonly script: string; readonly style: string }> };

// A tool of the repository, outside the sources, where the package that bundles may be used.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { script, style } = await bundler.browserFiles();
