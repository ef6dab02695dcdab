/** Describes errors of the file system. */

export function getErrorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? "");
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "it is not a folder",
  EEXIST: "it is not a folder",
};

export function describeFileError(error: unknown): string {
  const code = getErrorCode(error);
  return REASONS[code] ?? (code === "" ? String(error) : code);
}

export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(getErrorCode(error));
}
