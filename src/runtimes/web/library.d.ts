/** Fixtures and presets of the package, bundled by `.ci/build.mjs`. */
declare module "vitrine:library" {
  export const version: string;
  export const base: { readonly anchor: string } & Readonly<Record<string, unknown>>;
  /** JSON texts by preset name, in alphabetical order. */
  export const presets: Readonly<Record<string, string>>;
}
