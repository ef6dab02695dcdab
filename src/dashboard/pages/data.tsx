/** The page Data: collections as tables, and snapshots. */
import type { Entity } from "../../world/store.ts";
import { restoreSnapshot, takeSnapshot } from "../action.ts";
import type { Cockpit } from "../cockpit.ts";
import { buildHref } from "../location.ts";
import { NameForm } from "../parts/name-form.tsx";
import { QuietButton } from "../parts/quiet-button.tsx";
import { escapeUnseen } from "../plain.ts";
import { FIRST_COLLECTION } from "../reads.ts";

/** Maximum number of rows to render. The control API returns all entities. */
const MAX_TABLE_ROWS = 200;

export function Data(cockpit: Cockpit) {
  const { known, place } = cockpit;
  const collections = Object.entries(known.state?.collections ?? {}).filter(([name]) => name.includes("/"));
  const environments = [...new Set(collections.map(([name]) => name.split("/")[0] ?? ""))];
  const open = place.collection ?? FIRST_COLLECTION;
  return (
    <>
      <h1 class="hidden">Data</h1>
      <div class="split">
        <div class="side">
          <nav aria-label="Collections">
            {environments.map((environment) => (
              <section key={environment} aria-label={environment}>
                <h2>{environment}</h2>
                <ul>
                  {collections
                    .filter(([name]) => name.startsWith(`${environment}/`))
                    .map(([name, count]) => (
                      <li key={name}>
                        <a
                          href={buildHref(place, { collection: name })}
                          aria-current={name === open ? "page" : undefined}
                        >
                          {name.slice(environment.length + 1)} <span class="count">{count}</span>
                        </a>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </nav>
          <Snapshots {...cockpit} />
        </div>
        <Table name={open} entities={known.entities ?? []} />
      </div>
    </>
  );
}

function Table({ name, entities }: { readonly name: string; readonly entities: readonly Entity[] }) {
  const shown = entities.slice(0, MAX_TABLE_ROWS);
  const columns = [...new Set(shown.flatMap((entity) => Object.keys(entity)))];
  return (
    <section class="entities" aria-labelledby="entities-title">
      <h2 id="entities-title">
        {escapeUnseen(name)} <span class="count">{entities.length}</span>
      </h2>
      {shown.length === 0 ? (
        <p class="quiet">This collection is empty.</p>
      ) : (
        <section class="scroll" tabindex={0} aria-label="Entities">
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th scope="col">{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((entity) => (
                <tr>
                  {columns.map((column) => (
                    <Cell column={column} value={entity[column]} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {entities.length > MAX_TABLE_ROWS ? <p class="quiet">The first {MAX_TABLE_ROWS} are shown.</p> : null}
    </section>
  );
}

/** Names of fields that contain a time. Large numbers in these fields are ms since 1970. */
const INSTANT = /(at|until|from|since|on|date|time|expires|armed)$/i;

const UUID = /^[0-9a-f-]{36}$/;

type CellProps = { readonly column: string; readonly value: unknown };

/** Renders a value in one line. The HTML attribute `title` contains the whole text. */
function Cell({ column, value }: CellProps) {
  if (value === undefined || value === null) return <td class="quiet">–</td>;
  if (typeof value === "number") return <td class="number">{numberIn(column, value)}</td>;
  const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
  const plain = typeof value === "string" ? value : isList ? value.join(", ") : JSON.stringify(value);
  const text = escapeUnseen(plain);
  return (
    <td class={UUID.test(text) ? "id" : undefined} title={text}>
      {UUID.test(text) ? `${text.slice(0, 8)}…` : text}
    </td>
  );
}

function numberIn(column: string, value: number): string {
  const isInstant = value > 1e11 && INSTANT.test(column);
  return isInstant ? new Date(value).toISOString().slice(0, 16).replace("T", " ") : String(value);
}

function Snapshots({ known, act }: Cockpit) {
  const { snapshots = [] } = known;
  return (
    <section class="snapshots" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      {snapshots.length === 0 ? (
        <p class="note">A snapshot saves the current state so you can restore it.</p>
      ) : null}
      <ul>
        {snapshots.map(({ id }) => (
          <li key={id}>
            <span title={escapeUnseen(id)}>{escapeUnseen(id)}</span>{" "}
            <QuietButton aria-label={`Restore ${id}`} onClick={() => act.run(restoreSnapshot(id))}>
              Restore
            </QuietButton>
          </li>
        ))}
      </ul>
      <NameForm
        placeholder="s1, s2, …"
        make={(name) =>
          takeSnapshot(
            name,
            snapshots.map(({ id }) => id),
          )
        }
        act={act}
      >
        <button type="submit">Take</button>
      </NameForm>
    </section>
  );
}
