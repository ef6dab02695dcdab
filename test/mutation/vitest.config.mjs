// The tests that Stryker runs against each mutant: the nearest first, since the first that fails is enough.

import { statSync } from "node:fs";
import { BaseSequencer } from "vitest/node";
import config from "../../vitest.config.ts";

const folder = process.env["FOLDER"] ?? "world";

class NearestFirst extends BaseSequencer {
  /** @override */
  async sort(/** @type {import("vitest/node").TestSpecification[]} */ files) {
    const distance = (/** @type {string} */ file) => Number(!file.includes(`/test/${folder}/`));
    const rank = ({ moduleId = "" }) => ({ distance: distance(moduleId), size: statSync(moduleId).size });
    const ranked = files.map((file) => ({ file, ...rank(file) }));
    ranked.sort((one, other) => one.distance - other.distance || one.size - other.size);
    return ranked.map(({ file }) => file);
  }
}

export default {
  test: {
    ...config.test,
    isolate: false,
    sequence: { sequencer: NearestFirst },
    exclude: [
      "**/node_modules/**",
      "**/*.slow.test.ts",
      "test/{browser,cli,consumers,runtimes,testing}/**", // processes and sockets
      "test/{architecture,determinism,readme,surface,words}.test.ts", // read the sources, or start processes
      "test/operation/sources.test.ts",
      "test/web-globals.test.ts", // of the built package
    ],
  },
};
