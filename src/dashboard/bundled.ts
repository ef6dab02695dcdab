/** The browser's scripts by file name, and the style sheet. Bundled when this module loads; the build inlines the result. */

type BrowserFiles = { readonly scripts: Readonly<Record<string, string>>; readonly style: string };
type Bundler = { browserFiles(): Promise<BrowserFiles> };

// Imported by URL, because only the repository, not the package, contains the bundler.
const bundler: Bundler = await import(new URL("../../.ci/browser.mjs", import.meta.url).href);

export const { scripts, style } = await bundler.browserFiles();
