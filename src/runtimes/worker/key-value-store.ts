/** Stores small JSON values by name in the storage of a Durable Object. The first write creates the table. */

import type { Sql } from "./durable-objects.ts";
import { hasTable } from "./rows.ts";

export class KeyValueStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  read<T>(name: string): T | undefined {
    if (!hasTable(this.#sql, "notes")) return undefined;
    const [row] = this.#sql.exec("SELECT value FROM notes WHERE name = ?", name);
    return row && (JSON.parse(String(row["value"])) as T);
  }

  write(name: string, value: unknown): void {
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    );
    this.#sql.exec("INSERT OR REPLACE INTO notes VALUES (?, ?)", name, JSON.stringify(value));
  }
}
