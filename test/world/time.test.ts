// Durations and instants as they are written, and what is reported for those that cannot be read.

import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { parseDuration, parseOffset, parseTimestamp } from "../../src/world/time.ts";

describe("a duration", () => {
  test.each([
    ["500ms", 500],
    ["1.5s", 1_500],
    ["2m", 120_000],
    ["24h", 86_400_000],
    ["366000d", 366_000 * 86_400_000],
  ])("%s has %d milliseconds", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
    expect(parseOffset(`-${text}`)).toBe(-milliseconds);
  });

  test.each(["", "1", "h", "-1h", "1 h", "1w", "1e3s", " 1s"])("%j is no duration", (text) => {
    expect(() => parseDuration(text)).toThrow("is not a duration. Write a number with ms, s, m, h or d");
  });

  test("that is too long is rejected everywhere", async () => {
    await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
    const told = '"366001d" is too long: a duration is at most 366000d. Write several.';
    await expect(sandbox.clock.advance("366001d")).rejects.toThrow(told);
    const settings = { account: { tokenLifetime: "366001d" } };
    await expect(sandbox.scenario({ version: 1, settings })).rejects.toThrow(told);
    expect(() => sandbox.use({ then: { advance: "366001d" } })).toThrow(told);
    expect(sandbox.clock.now()).toBe(Date.parse("2026-03-01T09:00:00Z"));
  });
});

test.each(["2026-02-30", "2026-03-01T09:00", "yesterday", "2026-13-01T00:00:00Z"])(
  "%j is no timestamp",
  (text) => {
    expect(() => parseTimestamp(text)).toThrow("is not a time. Write ISO 8601 with a zone");
  },
);
