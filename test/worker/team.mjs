// A team of the tests.

export const NOW = 1_772_355_600_000;
export const TEAM = "team-of-the-tests";
export const TOKEN = "the-token-of-the-tests";
/** Its SHA-256. */
export const HASH = "3c25bd5e1617d53df9fdc28e7239de0155cdc0edc03e63e5d7fdebc6eef77fc6";
export const OPTIONS = { teams: { [TEAM]: { tokens: [HASH] } }, clock: "2026-03-01T09:00:00Z", seed: 7 };
