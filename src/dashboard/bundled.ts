/** The script and the style for browsers. The build replaces this module by the texts; in the sources they are made on load. */

type Bundler = { browserFiles(): Promise<{ readonly script: string; readonly style: string }> };

// A tool of the repository, outside the sources, where the package that bundles may be used.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { script, style } = await bundler.browserFiles();
