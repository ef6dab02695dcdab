/** The scripts, by file name, and the style for browsers. The build replaces this module by the texts; in the sources they are made on load. */

type BrowserFiles = { readonly scripts: Readonly<Record<string, string>>; readonly style: string };
type Bundler = { browserFiles(): Promise<BrowserFiles> };

// A tool of the repository, outside the sources, where the package that bundles may be used.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { scripts, style } = await bundler.browserFiles();
