import { checkPrimeSync, createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { nodePlatform } from "../../src/runtimes/node/platform.ts";
import { webPlatform } from "../../src/runtimes/web/platform.ts";
import {
  ALGORITHMS,
  type Algorithm,
  deriveMaterial,
  getKey,
  type KeyMaterial,
} from "../../src/world/keys.ts";
import { World } from "../../src/world/world.ts";

const claims = {
  iat: 1_772_355_600,
  exp: 1_772_442_000,
  username: "ada@example.test",
  roles: { été: ["A"] },
};
const of = (algorithm: Algorithm, world = new World({ seed: 1 }), environment = "account"): KeyMaterial =>
  deriveMaterial(world, environment, algorithm);

test.for(ALGORITHMS)("the %s key depends on seed, world and environment alone", (algorithm) => {
  const key = of(algorithm);
  expect(of(algorithm)).toEqual(key);
  expect(of(algorithm, new World({ seed: 1, clock: { mode: "frozen", at: 1e12 } }))).toEqual(key);
  expect(of(algorithm, new World({ seed: 2 }))).not.toEqual(key);
  expect(of(algorithm, new World({ seed: 1, id: "w1" }))).not.toEqual(key);
  expect(of(algorithm, new World({ seed: 1 }), "accountSandbox")).not.toEqual(key);
});

test("worlds with the same key share it", () => {
  const [one, other, third] = [1, 1, 2].map((seed) => new World({ seed }));
  if (one === undefined || other === undefined || third === undefined) throw new Error("three worlds");
  const key = getKey(one, "account", "RS256");
  expect(getKey(other, "account", "RS256")).toBe(key);
  for (const different of [
    getKey(third, "account", "RS256"),
    getKey(one, "accountSandbox", "RS256"),
    getKey(one, "account", "HS256"),
    getKey(new World({ seed: 1, id: "w1" }), "account", "RS256"),
  ])
    expect(different.publicJwk).not.toEqual(key.publicJwk);
});

describe.for([
  { place: "Node", platform: nodePlatform },
  { place: "a page", platform: webPlatform },
])("in $place", ({ platform }) => {
  test.for(ALGORITHMS)("only the %s key that signed a token recognizes it", (algorithm) => {
    const key = platform.key(of(algorithm));
    const others = [
      of(algorithm, new World({ seed: 2 })),
      of(algorithm, new World({ seed: 1 }), "accountSandbox"),
    ];
    const token = key.sign(claims);
    expect(key.hasSigned(token)).toBe(true);
    for (const other of others) expect(platform.key(other).hasSigned(token)).toBe(false);
    const [head, , signature] = token.split(".");
    const forged = Buffer.from(JSON.stringify({ ...claims, username: "eve@example.test" })).toString(
      "base64url",
    );
    expect(key.hasSigned(`${head}.${forged}.${signature}`)).toBe(false);
    for (const broken of ["", `${head}.${forged}.`, token.slice(0, -6), `${token}AAAA`])
      expect(key.hasSigned(broken), broken).toBe(false);
  });
});

test.for(ALGORITHMS)("Node and a page have the same %s key, and know each other's tokens", (algorithm) => {
  for (const seed of [1, 2, 3]) {
    const material = of(algorithm, new World({ seed }));
    const [node, page] = [nodePlatform.key(material), webPlatform.key(material)];
    expect(JSON.stringify(page.publicJwk)).toBe(JSON.stringify(node.publicJwk));
    expect([page.hasSigned(node.sign(claims)), node.hasSigned(page.sign(claims))]).toEqual([true, true]);
    if (algorithm !== "ES256") expect(page.sign(claims)).toBe(node.sign(claims));
  }
});

test("public exponents are odd primes that every verifier accepts, and they differ between seeds", () => {
  const exponents = Array.from({ length: 200 }, (_, seed) => {
    const { publicJwk } = nodePlatform.key(of("RS256", new World({ seed })));
    const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: publicJwk, format: "jwk" });
    expect(asymmetricKeyType).toBe("rsa");
    expect(asymmetricKeyDetails?.modulusLength).toBe(2048);
    return Number(asymmetricKeyDetails?.publicExponent);
  });
  expect(new Set(exponents).size).toBe(200);
  for (const exponent of exponents) {
    expect(exponent).toBeGreaterThan(65_537);
    expect(exponent).toBeLessThan(2 ** 31);
    expect(checkPrimeSync(BigInt(exponent))).toBe(true);
  }
});

test("a secret for HS256 has 32 bytes", () => {
  expect(of("HS256")).toMatchObject({ secret: { length: 32 } });
});

test("keys are made once", () => {
  const world = new World({ seed: 1 });
  expect(getKey(world, "account", "RS256")).toBe(getKey(world, "account", "RS256"));
});
