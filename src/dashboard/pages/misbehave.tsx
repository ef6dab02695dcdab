/** The page Misbehave: documented responses, rules and presets. */
import { useState } from "hono/jsx";
import type { OperationView } from "../../sandbox/views.ts";
import type { Cockpit } from "../cockpit.ts";
import { buildHref } from "../location.ts";
import { Composer } from "../parts/composer.tsx";
import { getFieldText } from "../parts/field.ts";
import { Presets } from "../parts/presets.tsx";
import { Rules } from "../parts/rules.tsx";
import { shortcut } from "../parts/shortcut.ts";

export function Misbehave(cockpit: Cockpit) {
  const { known, place, act } = cockpit;
  const [words, setWords] = useState("");
  const operations = filterAnswers(known.operations ?? [], words);
  const services = [...new Set(operations.map(({ service }) => service))];
  const chosen = chosenIn(place.force, known.operations ?? []);
  const [first] = operations.flatMap(({ name, outcomes }) => outcomes.map((one) => `${name}/${keyOf(one)}`));
  return (
    <>
      <h1 class="hidden">Misbehave</h1>
      <div class="misbehave">
        <section class="answers" aria-labelledby="answers-title">
          <h2 id="answers-title">Documented responses</h2>
          <p class="note">Choose a response, then how often to send it.</p>
          <form
            onSubmit={(event: Event) => {
              event.preventDefault();
              act.go({ force: first });
            }}
          >
            <label class="filter">
              <span class="hidden">Find a response</span>
              <input
                id="answers"
                type="search"
                placeholder="create 400: Enter opens the first"
                autocomplete="off"
                {...shortcut("/")}
                value={words}
                onInput={(event: Event) => setWords(getFieldText(event))}
              />
            </label>
          </form>
          {services.map((service) => (
            <section key={service} aria-label={service}>
              <h3>{service}</h3>
              <ul class="operations">
                {operations
                  .filter((one) => one.service === service)
                  .map((operation) => (
                    <Operation key={operation.name} operation={operation} place={place} />
                  ))}
              </ul>
            </section>
          ))}
        </section>
        <div class="in-force">
          {chosen === undefined ? null : <Composer key={place.force ?? ""} cockpit={cockpit} {...chosen} />}
          <Rules {...cockpit} />
        </div>
      </div>
      <Presets {...cockpit} />
    </>
  );
}

export type ChosenOutcome = {
  readonly operation: OperationView;
  readonly outcome: OperationView["outcomes"][number];
};

/** Finds an outcome such as `museum.createSpecialEvent/invalidInput`. Default: the operation's first error response. */
function chosenIn(force = "", operations: readonly OperationView[]): ChosenOutcome | undefined {
  const [name, key] = force.split("/");
  const operation = operations.find((one) => one.name === name);
  const outcome =
    operation?.outcomes.find((one) => keyOf(one) === key) ??
    operation?.outcomes.find(({ problem }) => problem !== undefined);
  return operation === undefined || outcome === undefined ? undefined : { operation, outcome };
}

function keyOf({ status, problem }: ChosenOutcome["outcome"]): string {
  return problem ?? String(status);
}

function filterAnswers(operations: readonly OperationView[], words: string): readonly OperationView[] {
  const wanted = words.toLowerCase().split(/\s+/);
  const matching = operations.map((operation) => {
    const { method, path, name } = operation;
    const outcomes = operation.outcomes.filter(({ status, problem = "" }) => {
      const text = `${method} ${path} ${name} ${status} ${problem}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    return { ...operation, outcomes: outcomes.sort(byStatus) };
  });
  return matching.filter(({ outcomes }) => outcomes.length > 0);
}

function byStatus(one: ChosenOutcome["outcome"], other: ChosenOutcome["outcome"]): number {
  return one.status - other.status;
}

function Operation({ operation, place }: Pick<Cockpit, "place"> & { readonly operation: OperationView }) {
  const { name, method, path, summary, outcomes } = operation;
  return (
    <li>
      <p class="operation" title={summary}>
        <b class="method">{method}</b> <span class="path">{path}</span>{" "}
        <span class="quiet name">{name.replace(/^\w+\./, "")}</span>
      </p>
      <p class="outcomes">
        {outcomes.map((outcome) => {
          const force = `${name}/${keyOf(outcome)}`;
          return (
            <a
              class={`outcome s${String(outcome.status).charAt(0)}`}
              href={buildHref(place, { force: place.force === force ? undefined : force })}
              aria-current={place.force === force ? "true" : undefined}
              title={outcome.title}
            >
              <b>{outcome.status}</b> {outcome.problem ?? "success"}
            </a>
          );
        })}
      </p>
    </li>
  );
}
