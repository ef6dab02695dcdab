import { checkPrimeSync, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm, keysOf } from "../../src/world/keys.ts";
import { World } from "../../src/world/world.ts";

const bytes = Buffer.from("what is signed");

function shown(world: World, environment: string, algorithm: Algorithm): unknown {
  return keysOf(world, environment, algorithm).sign.export({ format: "jwk" });
}

test.for(ALGORITHMS)("the %s key depends on seed, world and environment alone", (algorithm) => {
  const key = shown(new World({ seed: 1 }), "account", algorithm);
  expect(shown(new World({ seed: 1 }), "account", algorithm)).toEqual(key);
  expect(shown(new World({ seed: 1, clock: { mode: "frozen", at: 1e12 } }), "account", algorithm)).toEqual(
    key,
  );
  expect(shown(new World({ seed: 2 }), "account", algorithm)).not.toEqual(key);
  expect(shown(new World({ seed: 1, id: "w1" }), "account", algorithm)).not.toEqual(key);
  expect(shown(new World({ seed: 1 }), "accountSandbox", algorithm)).not.toEqual(key);
});

test.for(["RS256", "ES256"] as const)(
  "what a %s key signs, its own public key verifies and no other",
  (algorithm) => {
    const world = new World({ seed: 1 });
    const { sign: own, verify: shared } = keysOf(world, "account", algorithm);
    const signature = sign("sha256", bytes, own);
    expect(verify("sha256", bytes, shared, signature)).toBe(true);
    expect(verify("sha256", bytes, keysOf(world, "accountSandbox", algorithm).verify, signature)).toBe(false);
    expect(
      verify("sha256", bytes, keysOf(new World({ seed: 2 }), "account", algorithm).verify, signature),
    ).toBe(false);
  },
);

test("public exponents are odd primes that every verifier can take, and many seeds give many of them", () => {
  const exponents = Array.from({ length: 200 }, (_, seed) => {
    const { asymmetricKeyDetails, asymmetricKeyType } = keysOf(
      new World({ seed }),
      "account",
      "RS256",
    ).verify;
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
  expect(keysOf(new World({ seed: 1 }), "account", "HS256").sign.symmetricKeySize).toBe(32);
});

test("keys are made once", () => {
  const world = new World({ seed: 1 });
  expect(keysOf(world, "account", "RS256")).toBe(keysOf(world, "account", "RS256"));
});
