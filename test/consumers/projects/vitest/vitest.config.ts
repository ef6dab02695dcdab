import { defineConfig } from "vitest/config";

const pools = ["threads", "forks", "vmThreads", "vmForks"] as const;
const environments = ["node", "jsdom", "happy-dom"];

export default defineConfig({
  test: {
    projects: pools.flatMap((pool) =>
      environments.map((environment) => ({
        test: {
          name: `${pool} ${environment}`,
          pool,
          environment,
          include: pool.startsWith("vm") && environment !== "node" ? ["stories.test.ts"] : ["*.test.ts"], // msw asks for more
          globalSetup: "vitrine/vitest/global-setup",
          provide: { place: `${pool} ${environment}` },
        },
      })),
    ),
  },
});
