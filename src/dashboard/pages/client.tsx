/** The page Client: common mistakes of the client (lint), and the documented responses that it received (coverage). */
import type { CoverageData } from "../../journal/coverage.ts";
import type { LintView } from "../../sandbox/views.ts";
import type { Cockpit } from "../cockpit.ts";
import { buildHref, onlyWorld, type PageLocation } from "../location.ts";
import { escapeUnseen } from "../plain.ts";

const MAX_LINKS = 12;

export function Client({ known, place }: Cockpit) {
  const groups = grouped(known.lint ?? []);
  return (
    <>
      <h1 class="hidden">Client</h1>
      <section class="card" aria-labelledby="hints-title">
        <h2 id="hints-title">
          Hints <span class="count">{groups.length}</span>
        </h2>
        {groups.length === 0 ? (
          <p class="quiet">
            No hints. They appear here if your client misses a page, retries too fast or the like.
          </p>
        ) : (
          <ul class="hints">
            {groups.map((group) => (
              <Hint key={group.rule} group={group} place={place} />
            ))}
          </ul>
        )}
      </section>
      {known.coverage === undefined ? null : <Coverage coverage={known.coverage} place={place} />}
    </>
  );
}

function grouped(findings: readonly LintView[]): readonly LintView[] {
  const groups = new Map<string, LintView>();
  for (const finding of findings) {
    const before = groups.get(finding.rule);
    const exchanges = [...new Set([...(before?.exchanges ?? []), ...finding.exchanges])];
    groups.set(finding.rule, { ...(before ?? finding), exchanges });
  }
  return [...groups.values()];
}

type HintProps = { readonly group: LintView; readonly place: PageLocation };

function Hint({ group: { rule, severity, title, advice, exchanges }, place }: HintProps) {
  return (
    <li>
      <p>
        <span class={`severity ${severity}`}>{severity}</span> <b>{escapeUnseen(title)}</b>{" "}
        <code class="quiet">{rule}</code>
      </p>
      <p>{escapeUnseen(advice)}</p>
      <p class="quiet">
        {exchanges.length === 1 ? "One exchange: " : `${exchanges.length} exchanges: `}
        {exchanges.slice(0, MAX_LINKS).map((seq) => (
          <>
            <a href={buildHref(onlyWorld(place), { page: "requests", seq })}>#{seq}</a>{" "}
          </>
        ))}
        {exchanges.length > MAX_LINKS ? `and ${exchanges.length - MAX_LINKS} more` : ""}
      </p>
    </li>
  );
}

type CoverageProps = { readonly coverage: CoverageData; readonly place: PageLocation };

function Coverage({ coverage: { documented, undocumented }, place }: CoverageProps) {
  const names = [...new Set(documented.map(({ operation }) => operation))];
  const statuses = names.map((name) => [name, statusesOf(name, documented)] as const);
  const counts = statuses.flatMap(([, own]) => own.map(([, count]) => count));
  const met = counts.filter((count) => count > 0).length;
  return (
    <section class="card" aria-labelledby="coverage-title">
      <h2 id="coverage-title">
        Coverage{" "}
        <span class="count">
          {met} of {counts.length} documented statuses received
        </span>
      </h2>
      <progress aria-label="Documented statuses received" max={counts.length} value={met} />
      <p class="note">Counts all worlds since vitrine started. A reset keeps the counts.</p>
      <ul class="coverage">
        {statuses.map(([name, own]) => (
          <li key={name}>
            <a href={buildHref(onlyWorld(place), { page: "requests", filter: `operation:${name}` })}>
              {name}
            </a>
            <span class="outcomes">
              {own.map(([status, count]) => (
                <span
                  class={count === 0 ? "outcome unmet" : "outcome met"}
                  title={`received ${count} ${count === 1 ? "time" : "times"}`}
                >
                  {count === 0 ? "" : "✓ "}
                  {status}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {undocumented.length === 0 ? null : <p class="quiet">Undocumented responses: {undocumented.length}.</p>}
    </section>
  );
}

function statusesOf(name: string, documented: CoverageData["documented"]): [status: number, count: number][] {
  const counts = new Map<number, number>();
  for (const { operation, status, count } of documented)
    if (operation === name) counts.set(status, (counts.get(status) ?? 0) + count);
  return [...counts];
}
