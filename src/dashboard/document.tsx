/** The document that a browser gets: the same page as its script draws, with what is known now, to be read without script. */

import type { LocalControls } from "../sandbox/controls.ts";
import { App } from "./app.tsx";
import { type Actions, AT_FIRST, type Cockpit } from "./cockpit.ts";
import { baseOf, PAGES, type Place } from "./place.ts";
import { type Known, type Name, namesFor, pageOf } from "./reads.ts";
import { VERBS } from "./verbs.ts";

/** What a page is drawn from; without a world nothing is known, and the page asks for the control token. */
export function documentOf(place: Place, controls: LocalControls | undefined, urls: WorldUrls): string {
  const known = controls === undefined ? {} : knownOf(controls, place, urls);
  const cockpit: Cockpit = {
    known,
    place,
    tab: { ...AT_FIRST, locked: controls === undefined },
    act: {} as Actions, // nothing can be done before the script runs, and no handler is written into a text
  };
  return `<!DOCTYPE html>\n${(<Document {...cockpit} />).toString()}`;
}

/** The addresses of a world as this caller reaches them. */
export type WorldUrls = (world: string) => Readonly<Record<string, string>>;

function knownOf(controls: LocalControls, place: Place, urls: WorldUrls): Known {
  const state = controls.state();
  const names = namesFor(pageOf(place, { state }));
  const read = (name: Name) => VERBS[name](controls, place);
  const known: Known = Object.fromEntries(names.map((name) => [name, read(name)]));
  return { ...known, worlds: controls.worlds.list().map(({ id }) => ({ id, urls: urls(id) })) };
}

function Document(cockpit: Cockpit) {
  const { place, known, tab } = cockpit;
  const base = baseOf(place);
  return (
    <html
      lang="en"
      class="no-script"
      data-page={pageOf(place, known)}
      data-locked={tab.locked ? "true" : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${PAGES[pageOf(place, known)]} · ${place.world} · vitrine`}</title>
        <link rel="icon" href={`${base}/dashboard.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${base}/dashboard.css`} />
        <script type="module" src={`${base}/dashboard.js`}></script>
      </head>
      <body>
        <div id="app">
          <App {...cockpit} />
        </div>
      </body>
    </html>
  );
}
