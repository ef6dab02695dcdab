/** Types of Cloudflare's module, as far as vitrine uses it. */
declare module "cloudflare:workers" {
  export class DurableObject {
    constructor(context: never, bindings: never);
  }
}
