/** A whole page: bar, navigation, content, and the messages after actions (toasts). */

import type { Child } from "hono/jsx";
import type { Cockpit } from "./cockpit.ts";
import { buildHref, onlyWorld, PAGE_KEYS, PAGES, type PageName } from "./location.ts";
import { Bar } from "./parts/bar.tsx";
import { Empty } from "./parts/empty.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { Unlock } from "./parts/unlock.tsx";
import { resolvePage } from "./reads.ts";
import { isUsedUp } from "./sentence.ts";

export type PageBody = (cockpit: Cockpit) => Child;

export function App({ body: Body, ...cockpit }: Cockpit & { readonly body: PageBody }) {
  const { known, place, tab } = cockpit;
  if (tab.locked) return <Unlock {...cockpit} />;
  const page = resolvePage(place, known);
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Bar {...cockpit} />
      <nav class="pages" aria-label="Pages">
        <ul>
          {Object.entries(PAGES).map(([key, title], index) => (
            <li key={key}>
              <a
                href={buildHref(onlyWorld(place), { page: key as PageName })}
                aria-current={key === page ? "page" : undefined}
                title={`Keys: g ${PAGE_KEYS[index]}`}
              >
                {title}
                <Count {...numberOf(key, cockpit)} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {known.state?.notices.map(({ key, message }) => (
        <p class="notice" role="status">
          <b>{key}</b> {message}
        </p>
      ))}
      {tab.connection === "blocked" ? (
        <p class="notice" role="status">
          The sandbox did not answer in time. A browser opens six connections to a host: if your app holds
          all,{" "}
          {tab.elsewhere === undefined ? (
            "use another browser"
          ) : (
            <a href={tab.elsewhere + buildHref(place)}>open this page by another name</a>
          )}
          .
        </p>
      ) : null}
      <main id="page" class={`page page-${page}`} tabindex={-1}>
        {tab.connection === "ended" ? <Ended {...cockpit} /> : <Body {...cockpit} />}
      </main>
      <Toasts {...cockpit} />
    </>
  );
}

function Ended({ place, act }: Cockpit) {
  return (
    <Empty act={act} title={`The sandbox has no world "${place.world}".`}>
      <a class="button" href={buildHref(onlyWorld(place), { world: "main" })}>
        Open the main world
      </a>
    </Empty>
  );
}

type PageCount = { readonly count: number; readonly of: string };

function numberOf(page: string, { known: { state, rules = [], waiting = [] } }: Cockpit): PageCount {
  switch (page) {
    case "requests":
      return { count: state?.exchanges ?? 0, of: "exchanges" };
    case "misbehave":
      return { count: rules.filter((rule) => rule.enabled && !isUsedUp(rule)).length, of: "active rules" };
    case "mail":
      return { count: state?.mails ?? 0, of: "mails" };
    case "time":
      return { count: waiting.length, of: "requests that wait" };
    default:
      return { count: 0, of: "" };
  }
}

function Count({ count, of }: PageCount) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count}
      <span class="hidden"> {of}</span>
    </span>
  );
}
