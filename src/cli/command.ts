/** Declares commands, and derives argument parsing and help from their declarations. */

import { parseArgs } from "node:util";
import { findNearestName } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Io } from "./io.ts";

export type Flag = {
  /** Name of the flag's value in the help, such as `FILE`. Undefined for a switch, which takes no value. */
  readonly value?: string;
  /** Whether the flag may be given several times. */
  readonly many?: true;
  readonly about: string;
};
export type Flags = Readonly<Record<string, Flag>>;

type FlagValue<F extends Flag> = F extends { readonly value: string }
  ? F extends { readonly many: true }
    ? readonly string[]
    : string | undefined
  : boolean;
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: FlagValue<F[K]> };

export type CommandCall<F extends Flags = Flags> = {
  readonly flags: FlagValues<F>;
  /** Arguments that are not flags. */
  readonly operands: readonly string[];
  readonly io: Io;
};

export type Command<F extends Flags = Flags> = {
  readonly name: string;
  readonly summary: string;
  /** Arguments besides flags, with their name in the help, such as `FILE…`. */
  readonly takes?: { readonly name: string; readonly least: number; readonly most: number };
  /** Whether all operands must follow `--`. */
  readonly afterDashes?: true;
  readonly flags: F;
  /** Resolves with the exit code. */
  run(call: CommandCall<F>): Promise<number>;
};

/** Loads commands by name on demand, which keeps startup fast. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return command as unknown as Command; // Safe cast: `parseCall` returns values of the types that the flags declare.
}

const HELP_FLAG: Flags = { help: { about: "show this help" } };

/** Parses the arguments of a command. Throws a UsageError for invalid arguments. For an unknown flag, the error suggests a name. */
export function parseCall(command: Command, args: readonly string[], io: Io): CommandCall | "help" {
  const flags: Flags = { ...command.flags, ...HELP_FLAG };
  const dashes = command.afterDashes === undefined ? -1 : args.indexOf("--");
  const own = dashes === -1 ? args : args.slice(0, dashes);
  const values: Record<string, unknown> = {};
  const options: Record<string, { type: "boolean" | "string" }> = {};
  for (const [name, { value, many }] of Object.entries(flags)) {
    values[name] = many ? [] : value === undefined ? false : undefined;
    options[name] = { type: value === undefined ? "boolean" : "string" };
  }
  const lenient = { strict: false, allowPositionals: true, tokens: true } as const;
  const { tokens } = parseArgs({ args: [...own], options, ...lenient });
  const operands = dashes === -1 ? [] : args.slice(dashes + 1);
  for (const token of tokens) {
    if (token.kind === "option") {
      const value = readFlag(command, flags, token);
      const before = values[token.name];
      if (typeof before === "string")
        throw createUsageError(command, `${token.rawName} is given more than once`);
      values[token.name] = Array.isArray(before) ? [...before, value] : value;
    } else if (token.kind === "positional") {
      if (command.afterDashes !== undefined)
        throw createUsageError(command, `put "--" before ${JSON.stringify(token.value)}`);
      operands.push(token.value);
    }
  }
  if (values["help"] === true) return "help";
  checkOperands(command, operands);
  return { flags: values as CommandCall["flags"], operands, io }; // Safe cast: the loops above give each flag a value of its type.
}

type OptionToken = { readonly name: string; readonly rawName: string; readonly value?: string | undefined };

function readFlag(command: Command, flags: Flags, { name, rawName, value }: OptionToken): string | boolean {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const nearest = findNearestName(name, Object.keys(flags));
    const hint = nearest === undefined ? "" : ` Did you mean --${nearest}?`;
    throw createUsageError(command, `unknown option ${rawName}.${hint}`);
  }
  if (flag.value === undefined) {
    if (value !== undefined) throw createUsageError(command, `${rawName} does not accept a value`);
    return true;
  }
  // If the text after a flag looks like a flag, the value is missing. `-2h` is a value, because `--clock` accepts offsets.
  if (value === undefined || value === "" || /^-[^\d]/.test(value))
    throw createUsageError(command, `${rawName} needs a value: ${rawName} ${flag.value}`);
  return value;
}

function checkOperands(command: Command, operands: readonly string[]): void {
  const { takes = { name: "", least: 0, most: 0 } } = command;
  const extra = operands[takes.most];
  if (extra !== undefined) throw createUsageError(command, `unexpected argument ${JSON.stringify(extra)}`);
  const dashes = command.afterDashes === undefined ? "" : "-- ";
  if (operands.length < takes.least)
    throw createUsageError(command, `missing argument ${dashes}${takes.name}`);
}

function createUsageError(command: Command, message: string): UsageError {
  return new UsageError("badOption", `${command.name}: ${message}${/[.?]$/.test(message) ? "" : "."}`);
}

/** Parses the value of a flag as a whole number. Returns undefined if the flag is not given. */
export function toInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError("badOption", `${flag} must be a whole number, not ${JSON.stringify(text)}.`);
}

/** Output of `vitrine COMMAND --help`. */
export function formatHelp(command: Command): string {
  const { name, summary, takes, afterDashes } = command;
  const rest = takes === undefined ? "" : ` ${afterDashes === undefined ? "" : "-- "}${takes.name}`;
  const rows = Object.entries({ ...command.flags, ...HELP_FLAG }).map(([flag, { value, many, about }]) => [
    `--${flag}${value === undefined ? "" : ` ${value}`}`,
    many ? `${about}; repeatable` : about,
  ]);
  return `vitrine ${name} [options]${rest}\n\n${summary}\n\n${formatRows(rows)}`;
}

/** Output of `vitrine --help`. */
export async function formatOverview(commands: Commands, defaultName: string): Promise<string> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const hint = (name: string): string => (name === defaultName ? " (the default)" : "");
  const rows = loaded.map(({ name, summary }) => [name, summary + hint(name)]);
  return `vitrine COMMAND [options]\n\n${formatRows(rows)}\nvitrine COMMAND --help shows the options of a command.\n`;
}

function formatRows(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([name = ""]) => name.length)) + 2;
  return rows.map(([name = "", about = ""]) => `  ${name.padEnd(width)}${about}\n`).join("");
}
