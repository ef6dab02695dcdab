/** What the schemas of the control API are made of. */

import { z } from "zod";

export const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id });

/** An array that nobody changes; with `readonly()` the document would mark it. */
export const list = <S extends z.ZodType>(item: S) =>
  z.array(item) as z.ZodType<readonly z.output<S>[], readonly z.input<S>[]>;

export const text = (about: string) => z.string().describe(about);
export const texts = (about: string) => list(z.string()).describe(about);
export const count = (about: string) => z.int().describe(about);
export const flag = (about: string) => z.boolean().describe(about);

export const instant = (about: string) => text(`${about} ISO 8601 in UTC: 2026-03-01T09:00:00Z.`);
export const duration = (about: string) => text(`${about} A duration: 500ms, 30s, 15m, 24h, 3d.`);

export const user = text("The name that logs in; default: the first user.").optional();
export const environment = text("account or production (default), accountSandbox or sandbox.").optional();
