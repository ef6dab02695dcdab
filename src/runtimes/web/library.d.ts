/** Fixtures and presets of the package. `.ci/build.mjs` bundles them as this module. */
declare module "vitrine:library" {
  export const version: string;
  export const base: { readonly anchor: string } & Readonly<Record<string, unknown>>;
  /** JSON strings of the presets by name, in alphabetical order. */
  export const presets: Readonly<Record<string, string>>;
}
