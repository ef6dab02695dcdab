/** Renders coverage for people (text, HTML) and for build servers (JUnit XML). JSON is the data itself. */

import { html } from "hono/html";
import { type CoverageCount, type CoverageData, computeScore } from "./coverage.ts";

export const coverageReports = {
  text: toText,
  json: (data) => `${JSON.stringify({ ...data, score: computeScore(data) }, undefined, 2)}\n`,
  junit: toJunit,
  html: toHtml,
} satisfies Readonly<Record<string, (data: CoverageData) => string>>;

function toText(data: CoverageData): string {
  const { met, documented, percent } = computeScore(data);
  const lines = data.documented.map((one) => `  ${one.count > 0 ? "met " : "    "} ${formatEntry(one)}`);
  const others = data.undocumented.map((answer) => `  ${formatEntry(answer)}`);
  return [
    `${met} of ${documented} documented answers met (${percent} %)`,
    ...lines,
    ...(others.length === 0 ? [] : ["Met, but not documented:", ...others]),
    "",
  ].join("\n");
}

/** One test case per documented answer, failed if it was never met. */
function toJunit(data: CoverageData): string {
  const { met, documented } = computeScore(data);
  const cases = data.documented.map((answer) => {
    const open = `    <testcase classname="${escapeXml(answer.operation)}" name="${escapeXml(formatStatus(answer))}"`;
    return answer.count > 0 ? `${open}/>` : `${open}><failure message="never met"/></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="vitrine coverage" tests="${documented}" failures="${documented - met}">`,
    `  <testsuite name="documented answers" tests="${documented}" failures="${documented - met}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function toHtml(data: CoverageData): string {
  const { met, documented, percent } = computeScore(data);
  const row = ({ operation, status, media, count }: CoverageCount) =>
    html`<tr class="${count > 0 ? "met" : "open"}"><td>${operation}</td><td>${status}</td><td>${media || "no body"}</td><td>${count}</td></tr>`;
  const table = (caption: string, answers: readonly CoverageCount[]) =>
    html`<table><caption>${caption}</caption><thead><tr><th scope="col">Operation</th><th scope="col">Status</th><th scope="col">Media type</th><th scope="col">Met</th></tr></thead><tbody>${answers.map(row)}</tbody></table>`;
  return String(
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of documented answers</title><style>${STYLE}</style></head>
<body><h1>Documented answers</h1><p>${met} of ${documented} met, ${percent} %.</p>
${table("Documented", data.documented)}
${data.undocumented.length === 0 ? "" : table("Met, but not documented", data.undocumented)}
</body></html>
`,
  );
}

const STYLE =
  "body{font:1rem/1.5 system-ui;margin:2rem}table{border-collapse:collapse;margin-bottom:2rem}caption{text-align:left;font-weight:600}th,td{text-align:left;padding:.2rem .8rem;border-bottom:1px solid #ccc}.open td{background:#fff3f0}.met td{background:#f2fbf4}";

function formatEntry(answer: CoverageCount): string {
  const times = answer.count > 1 ? ` (${answer.count} times)` : "";
  return `${answer.operation} ${formatStatus(answer)}${times}`;
}

function formatStatus({ status, media }: CoverageCount): string {
  return `${status} ${media || "no body"}`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
