/** What a request would meet: which rules would act and why the others would not. Nothing is sent to a service. */

import { useState } from "hono/jsx";
import type { Explanation } from "../../sandbox/views.ts";
import type { Cockpit } from "../cockpit.ts";
import { escapeUnseen } from "../plain.ts";
import { getFieldText } from "./field.ts";

type TryResult = Explanation | { readonly mistake: string };

export function Try({ known, act }: Cockpit) {
  const operations = known.operations ?? [];
  const [name, setName] = useState(operations[0]?.name ?? "");
  const [answer, setAnswer] = useState<TryResult | undefined>(undefined);
  const ask = async (event: Event) => {
    event.preventDefault();
    const operation = operations.find((one) => one.name === name) ?? operations[0];
    if (operation === undefined) return;
    const { method, path, service } = operation;
    setAnswer(
      await act
        .explain({ method, path: `${BASES[service] ?? ""}${path}` })
        .catch(({ message }: Error) => ({ mistake: message })),
    );
  };
  return (
    <section class="card try" aria-labelledby="try-title">
      <h2 id="try-title">Try without sending</h2>
      <form class="inline" onSubmit={ask}>
        <label>
          Request
          <select value={name} onChange={(event) => setName(getFieldText(event))}>
            {operations.map(({ name: one }) => (
              <option value={one}>{one}</option>
            ))}
          </select>
        </label>
        <button type="submit">Explain</button>
      </form>
      <div role="status">{answer === undefined ? null : <Answered answer={answer} />}</div>
    </section>
  );
}

/** A path alone may be that of either service. */
const BASES: Readonly<Record<string, string>> = { museum: "/museum/v1.1", account: "/account" };

function Answered({ answer }: { readonly answer: TryResult }) {
  if ("mistake" in answer) return <p class="mistake">{escapeUnseen(answer.mistake)}</p>;
  const { status, problem, fault, made, rules } = answer;
  const met =
    fault === undefined ? `${status ?? "nothing"} ${problem ?? ""}` : `${status ?? "no answer"}: ${fault}`;
  return (
    <>
      <p class="reason">
        It would get <b>{escapeUnseen(met)}</b>
        {made === undefined ? "" : ` (${made} would be made and never sent)`}.
      </p>
      <ul class="trace">
        {rules.map(({ rule, applied, why }) => (
          <li class={applied ? "applied" : "skipped"}>
            <b>{escapeUnseen(rule)}</b> <span class="outcome">{applied ? "✓ would act" : "– would not"}</span>{" "}
            {escapeUnseen(why)}
          </li>
        ))}
      </ul>
    </>
  );
}
