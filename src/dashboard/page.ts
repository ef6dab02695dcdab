/**
 * The page as it arrives: landmarks, headings, fields and buttons. The script fills them from the control API.
 * Everything inserted here is escaped.
 */

import { html } from "hono/html";
import type { LocalControls } from "../sandbox/controls.ts";

/** `base` is the prefix of the control API's paths: `/_vitrine`, `/~w1/_vitrine`. */
export function page(base: string, controls: Pick<LocalControls, "id" | "data" | "catalogue">): string {
  const presets = controls.catalogue.presets();
  const collections = Object.entries(controls.data).flatMap(([environment, names]) =>
    Object.keys(names).map((name) => `${environment}/${name}`),
  );
  return String(html`<!DOCTYPE html>
<html lang="en" data-base="${base}" data-world="${controls.id}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vitrine: ${controls.id}</title>
<link rel="icon" href="${base}/dashboard.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}/dashboard.css">
<script src="${base}/dashboard.js" defer></script>
</head>
<body>
<a class="skip" href="#journal">Skip to journal</a>
<header>
<h1><img src="${base}/dashboard.svg" alt="" width="28" height="28"> vitrine</h1>
<section class="clock" aria-label="Clock">
<p><time id="now"></time> UTC <span id="clock-mode"></span></p>
<p class="buttons">
<button type="button" id="freeze">Freeze</button>
<button type="button" id="advance-hour">+ 1 h</button>
<button type="button" id="advance-day">+ 24 h</button>
<button type="button" id="resume">Resume</button>
</p>
</section>
<button type="button" id="reset" class="danger" title="Data, clock, rules, mailbox and journal of this world">Reset</button>
</header>
<p id="message" role="status" hidden></p>
<div id="notices" role="status" hidden></div>
<noscript><p>The dashboard needs its script. The control API under ${base} has the same information.</p></noscript>
<main>
<section id="journal" class="journal" aria-labelledby="journal-title" tabindex="-1">
<h2 id="journal-title">Journal</h2>
<form class="filter" id="filter">
<label>Operation <select id="filter-operation"><option value="">all</option></select></label>
<label>Status <select id="filter-status"><option value="">all</option></select></label>
<label>Text <input id="filter-text" placeholder="in the address or a body"></label>
<button type="button" id="clear-journal">Clear</button>
</form>
<p id="journal-note" class="quiet"></p>
<ol id="exchanges"></ol>
</section>
<section aria-labelledby="worlds-title">
<h2 id="worlds-title">Worlds</h2>
<nav aria-label="Worlds"><ul id="world-list"></ul></nav>
<form id="fork">
<label>New world, as this one is now <input id="fork-name" placeholder="name" autocomplete="off"></label>
<button>Fork</button>
</form>
<p id="world-end"></p>
</section>
<section aria-labelledby="scenario-title">
<h2 id="scenario-title">Scenario and rules</h2>
<p id="scenario-name"></p>
<form id="presets">
<label>Preset <select id="preset">${presets.map(({ name, title }) => html`<option value="${name}">${name}: ${title}</option>`)}</select></label>
<button>Apply</button>
<button type="button" id="scenario-add">Add on top</button>
<button type="button" id="scenario-off">Off</button>
</form>
<div id="gates-part" hidden><h3>Waiting at gates</h3><ul id="gates"></ul></div>
<h3>Rules</h3>
<ul id="rules"></ul>
</section>
<section aria-labelledby="mailbox-title">
<h2 id="mailbox-title">Mailbox</h2>
<ul id="mails"></ul>
<p><button type="button" id="clear-mails">Empty the mailbox</button></p>
</section>
<section aria-labelledby="findings-title">
<h2 id="findings-title">Client lint findings</h2>
<ul id="findings"></ul>
</section>
<section class="wide" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<div id="coverage"></div>
</section>
<section class="wide" aria-labelledby="data-title">
<h2 id="data-title">Data</h2>
<form class="filter"><label>Collection <select id="collection">${collections.map((name) => html`<option>${name}</option>`)}</select></label></form>
<p id="data-note" class="quiet"></p>
<div id="entities" class="scroll" tabindex="0" role="region" aria-label="Entities"></div>
</section>
</main>
</body>
</html>
`);
}
