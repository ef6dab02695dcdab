/** The dashboard's scripts by file name, and its style sheet. In a checkout, bundled on load; in the package, by the build. */

type BrowserFiles = { readonly scripts: Readonly<Record<string, string>>; readonly style: string };
type Bundler = { browserFiles(): Promise<BrowserFiles> };

// Imported by URL, because only the repository, not the package, contains the bundler.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { scripts, style } = await bundler.browserFiles();
