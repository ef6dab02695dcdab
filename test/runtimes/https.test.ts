// The services over https, as fetch and curl meet them, with a certificate that the test makes.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { FaultKind } from "../../src/rules/effect.ts";
import { makeCertificate } from "../support/certificate.ts";
import { test } from "../support/test.ts";

const pair = makeCertificate();
const run = promisify(execFile);

/** What curl prints, or its error. */
function curl(url: string): Promise<string> {
  const ran = run("curl", ["-sSf", "--http1.1", "--cacert", pair.cert, "-u", "a:b", url]);
  return ran.then(({ stdout }) => stdout).catch(({ stderr }) => stderr);
}

test("fetch and curl reach all ports, and every document says https", async ({ sandbox }) => {
  const { url, urls } = await sandbox.listen({ ...pair, ownPorts: true });
  const script = "fetch(process.argv[1]).then((r) => r.json()).then((r) => console.log(r.servers[0].url))";
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: pair.cert };
  for (const base of Object.values(urls)) {
    const { stdout } = await run(process.execPath, ["-e", script, `${base}/openapi.json`], { env });
    expect([stdout, new URL(base).protocol]).toEqual([`${base}\n`, "https:"]);
  }
  expect(JSON.parse(await curl(`${url}/_vitrine/worlds`))).toEqual([{ id: "main", urls }]);
});

test.for<[FaultKind, RegExp]>([
  ["reset", /^curl: \(\d+\) .*Connection reset by peer/],
  ["truncate", /^curl: \((18|56)\) .*(bytes|eof|close)/],
])("the fault %s is the same over TLS", async ([fault, met], { sandbox }) => {
  const { urls } = await sandbox.listen(pair);
  sandbox.use({ then: { fault } });
  expect(await curl(`${urls.museum}/museum-hours`)).toMatch(met);
});

test("closing ends a request that hangs and a client that never began its handshake", async ({ sandbox }) => {
  const { port, urls, close } = await sandbox.listen(pair);
  sandbox.use({ then: { fault: "hang" } });
  const silence = once(connect(port, "127.0.0.1"), "close");
  const hanging = curl(`${urls.museum}/museum-hours`);
  await sandbox.journal.waitFor({ fault: "hang", state: "open" });
  await close();
  expect(await hanging).toMatch(/^curl: \(5/);
  await silence;
});

test("files that are not a certificate and its key are refused", async ({ sandbox }) => {
  const { cert, key } = makeCertificate();
  await expect(sandbox.listen({ cert, key: pair.key })).rejects.toThrow(": key values mismatch.");
  await expect(sandbox.listen({ cert: key, key })).rejects.toThrow(/^\S+key\.pem and .*: no start line\.$/);
  await expect(sandbox.listen({ cert, key: "/none" })).rejects.toThrow("no such file");
});
