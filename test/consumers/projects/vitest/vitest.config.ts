import { defineConfig } from "vitest/config";

const pools = ["threads", "forks", "vmThreads", "vmForks"] as const;
const environments = ["node", "jsdom", "happy-dom"];
/** MSW finds too little of the web in the vm pools with jsdom, and what happy-dom asks is not always the same. */
const withMsw = (pool: string, environment: string) =>
  environment === "node" || (environment === "jsdom" && !pool.startsWith("vm"));

export default defineConfig({
  test: {
    projects: pools.flatMap((pool) =>
      environments.map((environment) => ({
        test: {
          name: `${pool} ${environment}`,
          pool,
          environment,
          include: ["stories.test.ts", ...(withMsw(pool, environment) ? ["msw.test.ts"] : [])],
          globalSetup: "vitrine/vitest/global-setup",
          provide: { place: `${pool} ${environment}` },
        },
      })),
    ),
  },
});
