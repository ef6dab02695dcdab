/** Scripts by file name, and the style. The build replaces this module by their text; in the sources it builds them on load. */

type BrowserFiles = { readonly scripts: Readonly<Record<string, string>>; readonly style: string };
type Bundler = { browserFiles(): Promise<BrowserFiles> };

// This tool of the repository may import the bundler.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { scripts, style } = await bundler.browserFiles();
