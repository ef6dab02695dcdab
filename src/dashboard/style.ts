/** The look of the dashboard: its one style sheet, and the favicon, a glass case. */

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="5" y="4" width="22" height="17" rx="2" fill="#5aa9c9" fill-opacity=".25" stroke="#3d8fb3" stroke-width="2"/>
<path d="M9 17 18 8" stroke="#fff" stroke-opacity=".8" stroke-width="2" stroke-linecap="round"/>
<circle cx="18" cy="15" r="4" fill="#e0a63c"/>
<path d="M4 22h24v5H4z" fill="#8a6a4a"/>
</svg>
`;

export const style = `
:root {
  color-scheme: light dark;
  --ink: #1d2430; --quiet: #586373; --line: #d9dee6; --paper: #fff; --ground: #f4f6f9; --link: #0b5cad;
  --sunken: #f1f4f8; --good: #17693a; --fair: #8a5300; --bad: #b3261e; --accent: #6a3fa0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6eaf0; --quiet: #9aa6b6; --line: #343d4a; --paper: #1b212b; --ground: #12161d; --link: #7db8f5;
    --sunken: #141922; --good: #6fce94; --fair: #eab464; --bad: #ff8f86; --accent: #c3a1f2;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem }
[hidden] { display: none !important }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0 }
ul, ol { list-style: none }
a { color: var(--link) }
h1 { display: flex; align-items: center; gap: .5rem; font-size: 1.25rem; letter-spacing: .02em }
h2 { font-size: 1.05rem; margin-bottom: .6rem }
h3 { font-size: .85rem; color: var(--quiet); font-weight: 600; margin: .8rem 0 .3rem }
.quiet { color: var(--quiet) }
code, pre, time { font-family: ui-monospace, monospace; font-size: .85rem }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -99rem }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .3rem .6rem; z-index: 2 }
header {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.5rem;
  padding: .6rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line)
}
.clock { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; margin-left: auto }
.clock time { font-size: 1rem; font-weight: 600; font-variant-numeric: tabular-nums }
.buttons { display: flex; flex-wrap: wrap; gap: .35rem }
button, select, input {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem;
  padding: .2rem .65rem; min-height: 2rem; max-width: 100%
}
button { cursor: pointer; white-space: nowrap }
button:hover:not(:disabled) { border-color: var(--link); color: var(--link) }
button:disabled { opacity: .5; cursor: default }
button.danger { color: var(--bad) }
#message, #notices, noscript p {
  margin: 1rem 1.25rem 0; padding: .5rem .9rem; border: 1px solid var(--fair); border-left-width: .3rem;
  border-radius: .4rem; background: var(--paper); overflow-wrap: anywhere
}
main {
  display: grid; grid-template-columns: minmax(0, 2fr) minmax(19rem, 1fr); gap: 1rem; align-items: start;
  padding: 1rem 1.25rem 3rem; max-width: 110rem; margin: 0 auto
}
main > section { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; min-width: 0 }
main > section:focus { outline: none }
.journal { grid-row: span 4 }
.wide { grid-column: 1 / -1 }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem; margin: .5rem 0 }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .15rem; font-size: .85rem; color: var(--quiet); min-width: 0 }
label > * { color: var(--ink) }
form label:has(select, input) { flex: 1 1 8rem }
.filter label { flex: 0 1 auto }
#exchanges > li { border-top: 1px solid var(--line) }
summary {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .6rem; padding: .4rem .3rem .4rem 1.4rem;
  position: relative; cursor: pointer; list-style: none
}
summary::-webkit-details-marker { display: none }
summary::before { content: "▸"; color: var(--quiet); position: absolute; left: .3rem }
[open] > summary::before { content: "▾" }
summary:hover { background: var(--sunken) }
.seq { color: var(--quiet); min-width: 2.4rem; font-variant-numeric: tabular-nums }
.line { overflow-wrap: anywhere; min-width: 0; unicode-bidi: isolate }
.what { margin-left: auto; font-size: .85rem }
.badge {
  border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; font-size: .78rem; color: var(--quiet);
  overflow-wrap: anywhere
}
.s2, .met, .ticking { color: var(--good) }
.s3, .s4, .found, .frozen, .warning { color: var(--fair) }
.s5, .sn, .error { color: var(--bad) }
.rule .badge, .badge.rule, .changed { color: var(--accent) }
.opened { padding: .2rem .3rem 1rem 1.4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem }
dt { color: var(--quiet) }
dd { overflow-wrap: anywhere; unicode-bidi: isolate }
.opened ul { padding-left: 1rem; list-style: disc; font-size: .9rem; overflow-wrap: anywhere }
pre {
  background: var(--sunken); border-radius: .4rem; padding: .6rem .8rem; max-height: 24rem; overflow: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext
}
#world-list { display: flex; flex-wrap: wrap; gap: .35rem; max-height: 9rem; overflow: auto; padding: 2px }
#world-list a { display: block; padding: .1rem .7rem; border: 1px solid var(--line); border-radius: 1rem; text-decoration: none }
#world-list a[aria-current] { background: var(--link); border-color: var(--link); color: var(--paper) }
li.rule { display: flex; align-items: start; justify-content: space-between; gap: .5rem; padding: .15rem 0; overflow-wrap: anywhere }
section > p:has(button:only-child) { margin-top: .6rem }
details > pre { margin-top: .3rem }
li.rule > details { flex: 1; min-width: 0 }
#findings li { padding: .4rem 0; border-top: 1px solid var(--line) }
#findings li:first-child { border-top: 0 }
progress { width: 100%; height: .6rem; accent-color: var(--good); margin: .4rem 0 }
.answers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: .6rem 2rem }
.answers li { display: grid; gap: .15rem; align-content: start; font-size: .85rem }
.badges { display: flex; flex-wrap: wrap; gap: .2rem }
.scroll { overflow: auto; max-height: 32rem }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); max-width: 24rem; overflow-wrap: anywhere; unicode-bidi: isolate }
td { min-width: 7rem }
th { color: var(--quiet); position: sticky; top: 0; background: var(--paper); white-space: nowrap }
@media (max-width: 60rem) {
  main { grid-template-columns: minmax(0, 1fr); padding: .75rem }
  .journal { grid-row: auto }
  .what { margin-left: 0 }
  .opened { padding-left: .3rem }
  .seq { min-width: 0 }
  header { position: static; padding: .6rem .75rem }
  #reset { margin-left: auto }
  .clock { order: 1; width: 100% }
}
`;
