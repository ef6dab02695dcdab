// Where a sandbox can be reached, and under which names: what is bound, spelled in every way that leads to it.

import { expect, test } from "vitest";
import {
  isLoopbackAddress,
  isLoopbackHost,
  isLoopbackOrigin,
  SandboxUrls,
} from "../../src/sandbox/addresses.ts";
import { museum } from "../../src/services/museum/index.ts";

const addressesOf = (hosts: readonly string[] = []) => new SandboxUrls(museum.environments, hosts);
const LOOPBACK = (port: string) => [
  `http://localhost${port}`,
  `http://127.0.0.1${port}`,
  `http://[::1]${port}`,
];

test("the base URL is localhost before a port is bound, and each world has a prefix", () => {
  const addresses = addressesOf();
  expect(addresses.common).toBe("http://localhost");
  expect(new Set(addresses.origins())).toEqual(new Set(LOOPBACK("")));
  expect(addresses.urls("")).toEqual({ museum: "http://localhost/museum/v1.1" });
  expect(addresses.urls("/~w1")).toEqual({ museum: "http://localhost/~w1/museum/v1.1" });
  expect(addresses.urls("", "https://proxy.test")).toEqual({ museum: "https://proxy.test/museum/v1.1" });
});

test("a sandbox on the loopback or on all interfaces has every local name of the machine", () => {
  for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]"]) {
    const addresses = addressesOf();
    addresses.bind(`http://${host}:4010`);
    expect(new Set(addresses.origins()), host).toEqual(
      new Set([`http://${host}:4010`, ...LOOPBACK(":4010")]),
    );
  }
  const addresses = addressesOf();
  addresses.bind("http://192.0.2.1:4010");
  expect(addresses.origins()).toEqual(["http://192.0.2.1:4010"]);
});

test("an allowed host is valid on every port, and a separate port belongs to its environment", () => {
  const addresses = addressesOf(["sandbox.test"]);
  addresses.bind("http://127.0.0.1:4010");
  addresses.bindOwn("museum", "http://127.0.0.1:4011");
  expect(addresses.origins()).toEqual(
    expect.arrayContaining(["http://sandbox.test:4010", "http://sandbox.test:4011"]),
  );
  expect(addresses.urls("/~w1")).toEqual({ museum: "http://127.0.0.1:4011/~w1/v1.1" });
  expect(LOOPBACK(":4011").map((origin) => addresses.findPortOwner(origin))).toEqual([
    "museum",
    "museum",
    "museum",
  ]);
  expect(addresses.findPortOwner("http://127.0.0.1:4010")).toBeUndefined();
  addresses.release();
  expect(addresses.findPortOwner("http://127.0.0.1:4011")).toBeUndefined();
  expect(addresses.origins()).toEqual(["http://localhost", ...LOOPBACK(""), "http://sandbox.test"]);
  expect(addresses.urls("")).toEqual({ museum: "http://localhost/museum/v1.1" });
});

test.each([
  ["localhost", true, true],
  ["127.0.0.1", true, true],
  ["127.1.2.3", true, true],
  ["::1", true, false],
  ["[::1]", false, true],
  ["app.localhost", false, true],
  ["a.b-c.localhost", false, true],
  ["localhost.evil.test", false, false],
  ["127.0.0.1.evil.test", false, false],
  ["xlocalhost", false, false],
  [".localhost", false, false],
  ["192.0.2.1", false, false],
  ["1127.0.0.1", false, false],
])("%s is a local address: %s, a local host: %s", (name, address, host) => {
  expect([isLoopbackAddress(name), isLoopbackHost(name)]).toEqual([address, host]);
  for (const origin of [`http://${name}`, `https://${name}:3000`])
    expect(isLoopbackOrigin(origin)).toBe(host);
  for (const origin of [
    `ftp://${name}`,
    `xhttp://${name}`,
    `http://${name}:123456`,
    `http://${name}/`,
    `http://${name}:x`,
  ])
    expect(isLoopbackOrigin(origin), origin).toBe(false);
});
