// The generated types say what the compiler infers from the declarations: where one allows more than the other, this
// file does not compile.

import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { OperationClient } from "../../src/operation/client.ts";
import type { CollectionDefinition } from "../../src/operation/service.ts";
import type { accountCollections, accountOperations } from "../../src/services/account/index.ts";
import type { AccountSettings } from "../../src/services/account/settings.ts";
import type {
  AccountClient,
  AccountData,
  AccountOperations,
  AccountSettingsInput,
} from "../../src/services/account/surface.ts";
import type { museumCollections, museumOperations } from "../../src/services/museum/index.ts";
import type { MuseumSettings } from "../../src/services/museum/schemas.ts";
import type {
  MuseumClient,
  MuseumData,
  MuseumOperations,
  MuseumSettingsInput,
} from "../../src/services/museum/surface.ts";
import type { Duration } from "../../src/world/time.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** The keys that only one of the two has, or for which they differ. */
type Differing<A, B> =
  | Exclude<keyof A, keyof B>
  | Exclude<keyof B, keyof A>
  | { [K in keyof A & keyof B]: Same<A[K], B[K]> extends true ? never : K }[keyof A & keyof B];

// biome-ignore lint/suspicious/noExplicitAny: the methods of a client, whatever they take
type Method = (...given: any[]) => Promise<unknown>;
type Calls<C> = {
  [K in keyof C]: C[K] extends Method
    ? { readonly given: Parameters<C[K]>; readonly answer: Awaited<ReturnType<C[K]>> }
    : never;
};
type Inferred<O> = Calls<OperationClient<O>>;

type Status<A> = A extends { readonly status: infer S } ? S : never;
type Names<Prefix extends string, O> = {
  [K in keyof O & string as `${Prefix}.${K}`]: O[K] extends { readonly types?: infer T }
    ? NonNullable<T> extends { params: infer P; query: infer Q; body: infer B; problems: infer K2 }
      ? {
          params: keyof P;
          query: keyof Q;
          body: B extends z.ZodUndefined ? never : B extends z.ZodType ? keyof z.input<B> : never;
          status: Status<Inferred<O>[K]["answer"]>;
          problem: K2;
        }
      : never
    : never;
};
/** The operations whose names differ, or where a status is missing: a rule can also name those of other settings. */
type Unlike<Written, Known> =
  | Differing<
      { [K in keyof Written]: Omit<Written[K], "status"> },
      { [K in keyof Known]: Omit<Known[K], "status"> }
    >
  | {
      [K in keyof Written & keyof Known]: [Status<Known[K]>] extends [Status<Written[K]>] ? never : K;
    }[keyof Written & keyof Known];
type Collections<C extends Readonly<Record<string, CollectionDefinition>>> = {
  [K in keyof C]: { input: z.input<C[K]["schema"]>; output: z.output<C[K]["schema"]> };
};
/** With any text for a duration, as the schemas have it. */
type Loose<T> = T extends object ? { [K in keyof T]: Loose<T[K]> } : T extends Duration ? string : T;

test("the generated types of the museum match its declarations", () => {
  // A QR code is an image on the wire, which no schema says.
  expectTypeOf<
    Differing<Calls<MuseumClient>, Inferred<typeof museumOperations>>
  >().toEqualTypeOf<"getTicketCode">();
  expectTypeOf<Unlike<MuseumOperations, Names<"museum", typeof museumOperations>>>().toEqualTypeOf<never>();
  expectTypeOf<Differing<MuseumData, Collections<typeof museumCollections>>>().toEqualTypeOf<never>();
  expectTypeOf<Differing<MuseumSettingsInput, z.input<typeof MuseumSettings>>>().toEqualTypeOf<never>();
});

test("the generated types of the account match its declarations", () => {
  expectTypeOf<Differing<Calls<AccountClient>, Inferred<typeof accountOperations>>>().toEqualTypeOf<never>();
  expectTypeOf<
    Unlike<AccountOperations, Names<"account", typeof accountOperations>>
  >().toEqualTypeOf<never>();
  expectTypeOf<Differing<AccountData, Collections<typeof accountCollections>>>().toEqualTypeOf<never>();
  expectTypeOf<
    Differing<Loose<AccountSettingsInput>, z.input<typeof AccountSettings>>
  >().toEqualTypeOf<never>();
});
