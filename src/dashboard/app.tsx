/** A whole page: the bar, the way to the other pages, the page itself, and what has just been done. */

import type { Child } from "hono/jsx";
import type { Cockpit } from "./cockpit.ts";
import { buildHref, onlyWorld, PAGES, type PageName } from "./location.ts";
import { Client } from "./pages/client.tsx";
import { Data } from "./pages/data.tsx";
import { Mail } from "./pages/mail.tsx";
import { Misbehave } from "./pages/misbehave.tsx";
import { Requests } from "./pages/requests.tsx";
import { Start } from "./pages/start.tsx";
import { Time } from "./pages/time.tsx";
import { Bar } from "./parts/bar.tsx";
import { Keys } from "./parts/keys.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { Unlock } from "./parts/unlock.tsx";
import { resolvePage } from "./reads.ts";

const BODIES: Readonly<Record<PageName, (cockpit: Cockpit) => Child>> = {
  start: Start,
  requests: Requests,
  misbehave: Misbehave,
  data: Data,
  time: Time,
  mail: Mail,
  client: Client,
};

export function App(cockpit: Cockpit) {
  const { known, place, tab } = cockpit;
  if (tab.locked) return <Unlock {...cockpit} />;
  const page = resolvePage(place, known);
  const Body = BODIES[page];
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Bar {...cockpit} />
      <nav class="pages" aria-label="Pages">
        <ul>
          {Object.entries(PAGES).map(([key, title]) => (
            <li key={key}>
              <a
                href={buildHref(onlyWorld(place), { page: key as PageName /* its own key */ })}
                aria-current={key === page ? "page" : undefined}
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
      <main id="page" class={`page page-${page}`} tabindex={-1}>
        <Body {...cockpit} />
      </main>
      {tab.keys ? <Keys {...cockpit} /> : null}
      <Toasts {...cockpit} />
    </>
  );
}

type PageCount = { readonly count: number; readonly of: string };

/** The number at the name of a page; none is not shown. */
function numberOf(page: string, { known: { state, rules = [], waiting = [] } }: Cockpit): PageCount {
  switch (page) {
    case "requests":
      return { count: state?.exchanges ?? 0, of: "exchanges" };
    case "misbehave":
      return { count: rules.filter(({ enabled }) => enabled).length, of: "active rules" };
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
