/** What is used of the module that Cloudflare's runtime has. */
declare module "cloudflare:workers" {
  export class DurableObject {
    constructor(context: never, bindings: never);
  }
}
