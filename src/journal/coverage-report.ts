/** Renders the coverage of documented responses as text, JSON or JUnit XML. */

import { type CoverageCount, type CoverageData, computeScore } from "./coverage.ts";

export const coverageReports = {
  text: toText,
  json: (data) => `${JSON.stringify({ ...data, score: computeScore(data) }, undefined, 2)}\n`,
  junit: toJunit,
} satisfies Readonly<Record<string, (data: CoverageData) => string>>;

function toText(data: CoverageData): string {
  const { met, documented, percent } = computeScore(data);
  const lines = data.documented.map(
    (entry) => `  ${entry.count > 0 ? "received" : "        "} ${formatEntry(entry)}`,
  );
  const others = data.undocumented.map((answer) => `  ${formatEntry(answer)}`);
  return [
    `${met} of ${documented} documented responses received (${percent} %)`,
    ...lines,
    ...(others.length === 0 ? [] : ["Received, but not documented:", ...others]),
    "",
  ].join("\n");
}

/** Writes one test case per documented response. A test case fails if no client received its response. */
function toJunit(data: CoverageData): string {
  const { met, documented } = computeScore(data);
  const cases = data.documented.map((answer) => {
    const open = `    <testcase classname="${escapeXml(answer.operation)}" name="${escapeXml(formatStatus(answer))}"`;
    return answer.count > 0 ? `${open}/>` : `${open}><failure message="never received"/></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="vitrine coverage" tests="${documented}" failures="${documented - met}">`,
    `  <testsuite name="documented responses" tests="${documented}" failures="${documented - met}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function formatEntry(answer: CoverageCount): string {
  const times = answer.count > 1 ? ` (${answer.count} times)` : "";
  return `${answer.operation} ${formatStatus(answer)}${times}`;
}

function formatStatus({ status, media }: CoverageCount): string {
  return `${status} ${media || "no body"}`;
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
