import { expect, test } from "vitest";
import { checkMinimum } from "../../src/journal/coverage.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { toPath } from "../../src/operation/client.ts";
import { listStatuses } from "../../src/operation/service.ts";
import { services } from "../../src/services/index.ts";

const ACCEPTS: Readonly<Record<string, readonly string[]>> = {
  museum: ["application/json"],
  account: ["application/ld+json", "application/json", "text/html"],
};

test("a client can receive every documented response in every media type, and no other", async () => {
  await using sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
  const credentials = {
    museum: sandbox.auth.basic(),
    account: { authorization: `Bearer ${sandbox.auth.token()}` },
  };
  const before = sandbox.snapshot();
  for (const service of services) {
    const name = service.name as keyof typeof credentials;
    for (const operation of Object.values(service.operations)) {
      for (const status of listStatuses(service, operation)) {
        for (const accept of ACCEPTS[name] ?? []) {
          sandbox.restore(before);
          const [environment] = service.environments;
          if (environment === undefined) throw new Error(`${name} has no environment.`);
          const example = operation.example(sandbox.core.getServiceState(service, environment));
          const body = example.body === undefined ? {} : { body: JSON.stringify(example.body) };
          const response = await sandbox.fetch(
            environment.base +
              toPath(operation, { params: example.params ?? {}, query: example.query ?? {} }),
            {
              method: operation.method.toUpperCase(),
              headers: {
                ...credentials[name],
                accept,
                ...(example.body === undefined ? {} : { "content-type": "application/json" }),
                ...(status < 400 ? {} : { prefer: `code=${status}` }),
              },
              ...body,
            },
          );
          expect(response.status, `${operation.path} ${status}`).toBe(status);
        }
      }
    }
  }
  const data = sandbox.coverage.data();
  expect(data.documented.filter(({ count }) => count === 0)).toEqual([]);
  expect(data.undocumented).toEqual([]);
  const { ok, message } = checkMinimum(data, 100);
  console.info(message);
  expect(ok).toBe(true);
});
