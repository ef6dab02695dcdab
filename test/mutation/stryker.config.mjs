// How Stryker runs: one folder of src, a sample of its mutants, the quick tests that run the sources in one process.

const folder = process.env["FOLDER"] ?? "world";

export default {
  // In the table of verbs a type has the form of a value, which Stryker takes for one.
  mutate: [`src/${folder}/**/*.ts`, "!src/control/table.ts"],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.mjs", related: false },
  plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/sample.mjs"],
  checkers: ["sample"],
  coverageAnalysis: "perTest",
  // What is evaluated as a module loads: tables, schemas, declarations. The surface tests hold these as files.
  ignoreStatic: true,
  concurrency: 1,
  // A slow machine has killed no mutant.
  timeoutMS: 120_000,
  dryRunTimeoutMinutes: 30,
  tsconfigFile: "none", // it would be rewritten by an interface that our compiler does not have
  reporters: ["json", "html", "progress-append-only"],
  jsonReporter: { fileName: `reports/${folder}.json` },
  htmlReporter: { fileName: `reports/${folder}.html` },
  ignorePatterns: ["dist", "reports"],
};
