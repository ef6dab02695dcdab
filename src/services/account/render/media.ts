// Owns the names of the three forms in which every resource is served and accepted, and their URL suffixes.
// Source: common-account-billing, Media types.

export const LD_JSON = "application/ld+json";
export const JSON_TYPE = "application/json";
export const HTML = "text/html";
export const PROBLEM_JSON = "application/problem+json";

/** In the order of preference of the service: the first is what a client without a preference gets. */
export const MEDIA_TYPES: readonly string[] = [LD_JSON, JSON_TYPE, HTML];

/** `/consumptions.json` asks for the form where Accept leaves the choice. Assumed: API Platform's formats. */
export const SUFFIXES: Readonly<Record<string, string>> = { jsonld: LD_JSON, json: JSON_TYPE, html: HTML };

export function withCharset(media: string): string {
  return `${media}; charset=utf-8`;
}

/** `"application/ld+json", "application/json"`, as messages list them. */
export function quoted(types: readonly string[]): string {
  return types.map((type) => `"${type}"`).join(", ");
}
