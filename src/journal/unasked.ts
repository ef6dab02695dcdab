/**
 * What browsers, their tools and crawlers ask every origin for on their own: nobody's mistake towards a service, so no
 * verification counts it.
 */

const UNASKED = /^\/(favicon\.ico|robots\.txt|apple-touch-icon(-[\w-]+)?\.png|\.well-known\/.*)$/;

/** `path` is the one below the world and the base address. */
export function isUnasked({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return (method === "GET" || method === "HEAD") && UNASKED.test(path);
}
