// Owns the rule for new passwords. Source: common-account-billing, Password change input.

const SHORTEST = 8;

/**
 * At least 8 characters, among them a letter, a digit and one of `! @ # $ % ^ & *`.
 * Assumed: letters and digits are those of ASCII; any other character may stand beside them.
 */
export function isGoodPassword(password: string): boolean {
  return (
    [...password].length >= SHORTEST &&
    [/[A-Za-z]/, /[0-9]/, /[!@#$%^&*]/].every((part) => part.test(password))
  );
}
