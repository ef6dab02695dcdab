// Money neither comes nor goes: what usage costs is what presales and consumptions paid for it, to the cent, in the data
// and in the receipt.

import { differs } from "./broken.ts";
import { cents } from "./model/billing.ts";
import type { AccountKey } from "./operations.ts";
import type { LiveSandbox } from "./world.ts";

const PRICE = 25;
type Receipt = ReturnType<LiveSandbox["usage"]["record"]>;

/** Looks at all pots now; the function that it returns looks again, once the usage is recorded. */
export function wrongBalance(
  sandbox: LiveSandbox,
  key: AccountKey,
  invoices: number,
): (receipt: Receipt) => string | undefined {
  const before = potsOf(sandbox, key);
  return ({ preSales, consumption }) => {
    const after = potsOf(sandbox, key);
    const shares = [...preSales, ...(consumption === undefined ? [] : [consumption])];
    const paid = shares.reduce((sum, share) => sum + cents(share.paid), 0);
    const counted = shares.reduce((sum, share) => sum + share.invoices_sent + share.invoices_received, 0);
    return (
      differs("what the receipt says was paid", paid, PRICE * invoices) ??
      differs("the invoices of the receipt", counted, invoices) ??
      differs(
        "what the pots paid",
        before.credit - after.credit + after.total - before.total,
        PRICE * invoices,
      )
    );
  };
}

function potsOf({ data }: LiveSandbox, key: AccountKey): { readonly credit: number; readonly total: number } {
  const { preSales, consumptions } = data[key];
  return {
    credit: preSales.all().reduce((sum, one) => sum + cents(one.current_credit_available), 0),
    total: consumptions.all().reduce((sum, one) => sum + cents(one.total), 0),
  };
}
