/** The part of Cloudflare's module that vitrine uses. */
declare module "cloudflare:workers" {
  export class DurableObject {
    constructor(context: never, bindings: never);
  }
}
