/** Renders a page on the server, for the first view and for browsers without JavaScript. */

import { UsageError } from "../errors/usage-error.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";
import { App } from "./app.tsx";
import { type Actions, type Cockpit, INITIAL_TAB } from "./cockpit.ts";
import { buildControlPath, PAGES, type PageLocation } from "./location.ts";
import { BODIES } from "./pages/index.ts";
import { READERS } from "./readers.ts";
import { type DataName, listDataNames, resolvePage, type WorldData } from "./reads.ts";

/** `controls`: undefined to render a page that asks for the control token. `origin`: origin of the URL in the browser. */
export async function renderDocument(
  place: PageLocation,
  controls: LocalSandbox | undefined,
  origin: string,
): Promise<string> {
  const known = controls === undefined ? {} : await knownOf(controls, place, origin);
  const cockpit: Cockpit = {
    known,
    place,
    tab: { ...INITIAL_TAB, locked: controls === undefined },
    act: {} as Actions, // Safe cast: handlers never run on the server.
  };
  return `<!DOCTYPE html>\n${(<Document {...cockpit} />).toString()}`;
}

async function knownOf(controls: LocalSandbox, place: PageLocation, origin: string): Promise<WorldData> {
  const state = controls.state();
  const names = listDataNames(resolvePage(place, { state }));
  const read = async (name: DataName) => READERS[name](controls, place, origin);
  const values = await Promise.all(names.map((name) => read(name).catch(nothingWhereRefused)));
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/** Returns no data if the URL is invalid, for example its filter. The script in the browser then shows the error. */
function nothingWhereRefused(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}

function Document(cockpit: Cockpit) {
  const { place, known, tab } = cockpit;
  const base = buildControlPath(place);
  return (
    <html
      lang="en"
      class="no-script"
      data-page={resolvePage(place, known)}
      data-locked={tab.locked ? "true" : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${PAGES[resolvePage(place, known)]} · ${place.world} · vitrine`}</title>
        <link rel="icon" href={`${base}/dashboard.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${base}/dashboard.css`} />
        <script type="module" src={`${base}/dashboard.js`}></script>
      </head>
      <body>
        <div id="app">
          <App {...cockpit} body={BODIES[PAGES[resolvePage(place, known)]]} />
        </div>
      </body>
    </html>
  );
}
