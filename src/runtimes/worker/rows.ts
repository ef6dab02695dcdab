/** Stores a list of strings in a table in the storage of a Durable Object. Splits long strings into several rows. */

import type { Sql } from "./durable-objects.ts";

/** Maximum length of a row, in characters of up to 3 bytes. Cloudflare limits a row to 2 MB. */
const MAX_ROW_CHARS = 600_000;

export class TextRows {
  readonly #sql: Sql;
  readonly #table: "state" | "journal";
  #next = 1;
  /** Total length of all strings, in characters. */
  length = 0;

  constructor(sql: Sql, table: "state" | "journal") {
    this.#sql = sql;
    this.#table = table;
  }

  /** Number of strings. */
  get count(): number {
    return this.#next - 1;
  }

  append(text: string): void {
    if (this.count === 0)
      this.#sql.exec(
        `CREATE TABLE IF NOT EXISTS ${this.#table} (n INTEGER, part INTEGER, text TEXT NOT NULL, PRIMARY KEY (n, part)) WITHOUT ROWID`,
      );
    for (let at = 0, end = 0, part = 0; at < text.length; at = end, part += 1) {
      end = at + MAX_ROW_CHARS;
      if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1; // SQLite would corrupt a split surrogate pair.
      this.#sql.exec(`INSERT INTO ${this.#table} VALUES (?, ?, ?)`, this.#next, part, text.slice(at, end));
    }
    this.#next += 1;
    this.length += text.length;
  }

  replace(texts: Iterable<string>): void {
    if (this.count > 0) this.#sql.exec(`DELETE FROM ${this.#table}`);
    this.forget();
    for (const text of texts) this.append(text);
  }

  read(): readonly string[] {
    const texts: string[] = [];
    this.forget();
    if (!hasTable(this.#sql, this.#table)) return texts;
    for (const { n, text } of this.#sql.exec(`SELECT n, text FROM ${this.#table} ORDER BY n, part`)) {
      const index = Number(n) - 1;
      texts[index] = (texts[index] ?? "") + String(text);
      this.length += String(text).length;
    }
    this.#next = texts.length + 1;
    return texts;
  }

  forget(): void {
    this.#next = 1;
    this.length = 0;
  }
}

/** Whether the table exists. The first write creates it. */
export function hasTable(sql: Sql, table: string): boolean {
  const found = sql.exec("SELECT 1 AS one FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  return [...found].length > 0;
}
