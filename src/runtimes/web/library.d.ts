/** What the package ships, put in by the build: see `.ci/build.mjs`. */
declare module "vitrine:library" {
  export const version: string;
  /** By name; frozen. */
  export const base: { readonly anchor: string } & Readonly<Record<string, unknown>>;
  /** The texts by name, in alphabetical order. */
  export const presets: Readonly<Record<string, string>>;
}
