/**
 * Calls that never leave the process: `sandbox.fetch` accepts what the global fetch accepts and passes it to
 * the app at that address. Anything else is refused, not sent.
 */

import { type Addresses, LOCAL_ORIGIN } from "../sandbox/addresses.ts";
import { UsageError } from "../world/usage-error.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export type LocalFetchOptions = {
  readonly addresses: Addresses;
  /** The path prefix of this world: `/~w1`, or empty. */
  readonly prefix: () => string;
  /** Answers a request to the common address, or to the port of one environment. */
  readonly answer: (request: Request, owner: string | undefined) => Response | Promise<Response>;
};

/** Relative paths go to the common address. Paths without a world's prefix get that of this world. */
export function createLocalFetch({ addresses, prefix, answer }: LocalFetchOptions): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, addresses.common);
    if (![LOCAL_ORIGIN, ...addresses.origins()].includes(url.origin)) {
      throw new UsageError(
        "badOption",
        `${url.origin} is not this sandbox; sandbox.fetch never leaves the process. Use a path, or ${addresses.common}.`,
      );
    }
    const owner = addresses.ownerOf(url.origin);
    if (!url.pathname.startsWith("/~")) url.pathname = prefix() + url.pathname;
    const request =
      input instanceof Request ? new Request(url, new Request(input, init)) : new Request(url, init);
    return answer(request, owner);
  };
}
