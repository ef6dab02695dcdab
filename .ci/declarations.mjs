// The declarations of the package: of all that the compiler writes, the entries and what they lead to, declaration by
// declaration. What only our own modules see stays out, and so do the packages inside: where a declaration that a user
// sees leads to one of these, the build fails and tells the way there.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";

/**
 * @typedef {{ readonly text: string, readonly uses: ReadonlySet<string> }} Declared
 * @typedef {{ readonly from: string, readonly name: string, readonly isType: boolean }} Imported
 * @typedef {{ readonly from: string, readonly name: string }} Wanted
 * @typedef {{
 *   readonly declared: Map<string, Declared[]>,
 *   readonly imported: Map<string, Imported>,
 *   readonly exported: Map<string, string>,
 *   readonly forwarded: Map<string, Imported>,
 *   readonly inline: Map<Declared, Wanted[]>,
 *   readonly needed: Set<string>,
 *   readonly order: Declared[],
 * }} Module
 */

/**
 * The declarations that these entries lead to, by their name in dist.
 * @param {string} root
 * @param {readonly string[]} names
 * @param {(id: string) => boolean} isOutside
 */
export function declarationsOf(root, names, isOutside) {
  const emitted = mkdtempSync(join(tmpdir(), "vitrine-declarations-"));
  process.once("exit", () => rmSync(emitted, { recursive: true }));
  const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
  const emit = ["-p", "src", "--emitDeclarationOnly", "--noCheck", "--outDir", emitted]; // `npm run check` checks
  execFileSync(process.execPath, [compiler, ...emit], { cwd: root, stdio: "inherit" });
  const graph = new Graph(isOutside);
  for (const name of names) graph.enter(join(emitted, `${name}.d.ts`));
  return new Map(graph.files.map(([file, text]) => [relative(emitted, file), text]));
}

/**
 * The same for those who require the package, but for the commands. A declaration file speaks for a module of one kind.
 * @param {ReadonlyMap<string, string>} declarations
 * @param {readonly string[]} commands
 */
export function inCommonJs(declarations, commands) {
  return Array.from(declarations)
    .filter(([file]) => !commands.some((name) => file === `${name}.d.ts`))
    .map(([file, text]) => [
      file.replace(/\.ts$/, ".cts"),
      text.replace(/(?<=\b(?:from |import\()")(\.[^"]+)\.js(?=")/g, "$1.cjs"),
    ]);
}

/** The name, as no other has it, of what a module adds to the types of another package, or to the global ones: whoever sees the module sees that too. */
const AUGMENTS = "module ";

/** The modules that were reached, each with the names that are needed of it. */
class Graph {
  /** @type {Map<string, Module>} */
  #modules = new Map();
  #isOutside;

  constructor(/** @type {(id: string) => boolean} */ isOutside) {
    this.#isOutside = isOutside;
  }

  /** Each file with its declarations that are needed. */
  get files() {
    return Array.from(this.#modules, ([file, module]) => /** @type {const} */ ([file, textOf(module)]));
  }

  /** All that an entry exports is needed. */
  enter(/** @type {string} */ file) {
    const { exported, forwarded } = this.#moduleOf(file);
    for (const name of [...exported.keys(), ...forwarded.keys()]) this.#needExport(file, name, [name]);
  }

  #moduleOf(/** @type {string} */ file) {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const module = read(file);
    this.#modules.set(file, module);
    for (const name of module.declared.keys()) if (name.startsWith(AUGMENTS)) this.#need(file, name, [name]);
    return module;
  }

  /** `way`: the names that lead there from an entry. */
  #needExport(/** @type {string} */ file, /** @type {string} */ name, /** @type {readonly string[]} */ way) {
    const { exported, forwarded, needed } = this.#moduleOf(file);
    const local = exported.get(name);
    if (local !== undefined) return this.#need(file, local, way);
    const { from, name: there } = forwarded.get(name) ?? {};
    if (from === undefined || there === undefined) throw new Error(`${file} does not export ${name}.`);
    needed.add(`export ${name}`);
    this.#follow(file, { from, name: there }, way);
  }

  #need(/** @type {string} */ file, /** @type {string} */ local, /** @type {readonly string[]} */ way) {
    const { declared, imported, inline, needed } = this.#moduleOf(file);
    if (needed.has(local)) return;
    const source = imported.get(local);
    const declarations = declared.get(local) ?? [];
    if (source === undefined && declarations.length === 0) return; // a type parameter, or of the language
    needed.add(local);
    if (source !== undefined) return this.#follow(file, source, way);
    for (const declaration of declarations) {
      for (const name of declaration.uses) if (name !== local) this.#need(file, name, [...way, name]);
      for (const wanted of inline.get(declaration) ?? []) this.#follow(file, wanted, [...way, wanted.name]);
    }
  }

  #follow(
    /** @type {string} */ file,
    /** @type {Wanted} */ { from, name },
    /** @type {readonly string[]} */ way,
  ) {
    if (this.#isOutside(from)) return;
    if (!from.startsWith("."))
      throw new Error(
        `The declarations lead to the package ${from}, which is not there: ${way.join(" → ")}.`,
      );
    this.#needExport(resolve(dirname(file), from.replace(/(\.d)?\.[jt]s$/, ".d.ts")), name, way);
  }
}

/** @returns {Module} */
function read(/** @type {string} */ file) {
  const source = readFileSync(file, "utf8");
  const { program, errors } = parseSync(file, source, { lang: "dts", sourceType: "module" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Module} */
  const module = {
    declared: new Map(),
    imported: new Map(),
    exported: new Map(),
    forwarded: new Map(),
    inline: new Map(),
    needed: new Set(),
    order: [],
  };
  let end = 0;
  for (const statement of program.body) {
    const text = source.slice(end, statement.end).trim();
    end = statement.end;
    addStatement(module, statement, text, file);
  }
  return module;
}

function addStatement(
  /** @type {Module} */ module,
  /** @type {any} */ statement, // of the parser's many kinds, each read by its own fields
  /** @type {string} */ text,
  /** @type {string} */ file,
) {
  const isType = statement.importKind === "type" || statement.exportKind === "type";
  if (statement.type === "ImportDeclaration") {
    for (const { local, imported, importKind } of statement.specifiers)
      module.imported.set(local.name, {
        from: statement.source.value,
        name: imported?.name ?? "*",
        isType: isType || importKind === "type",
      });
    return;
  }
  if (statement.type === "ExportNamedDeclaration" && statement.declaration === null) {
    for (const { local, exported, exportKind } of statement.specifiers) {
      if (statement.source === null) module.exported.set(exported.name, local.name);
      else
        module.forwarded.set(exported.name, {
          from: statement.source.value,
          name: local.name,
          isType: isType || exportKind === "type",
        });
    }
    return;
  }
  const declaration = statement.declaration ?? statement;
  const names = (declaration.declarations ?? [declaration]).map((/** @type {any} */ one) => {
    if (one.type !== "TSModuleDeclaration") return one.id?.name;
    if (one.kind === "global") return `${AUGMENTS}global`;
    return one.id.type === "Literal" ? AUGMENTS + one.id.value : one.id.name;
  });
  if (names.includes(undefined)) throw new Error(`${file} has a ${statement.type} that is not understood.`);
  const { uses, inline } = usesOf(declaration);
  const declared = { text, uses };
  module.order.push(declared);
  module.inline.set(declared, inline);
  for (const name of names) {
    module.declared.set(name, [...(module.declared.get(name) ?? []), declared]);
    if (statement.type === "ExportNamedDeclaration") module.exported.set(name, name);
  }
}

/** The names that a declaration refers to, and the types it imports on the spot. */
function usesOf(/** @type {any} */ declaration) {
  /** @type {Set<string>} */
  const uses = new Set();
  /** @type {Wanted[]} */
  const inline = [];
  const use = (/** @type {any} */ name) => {
    if (name?.type === "Identifier") uses.add(name.name);
    else if (name?.type === "TSQualifiedName") use(name.left);
    else if (name?.type === "MemberExpression") use(name.object);
  };
  const key = (/** @type {any} */ member) => {
    if (member.computed) use(member.key);
  };
  const heir = (/** @type {any} */ { expression }) => use(expression);
  new Visitor({
    TSTypeReference: ({ typeName }) => use(typeName),
    TSTypeQuery: ({ exprName }) => use(exprName),
    TSInterfaceHeritage: heir,
    TSClassImplements: heir,
    ClassDeclaration: ({ superClass }) => use(superClass),
    TSPropertySignature: key,
    TSMethodSignature: key,
    PropertyDefinition: key,
    MethodDefinition: key,
    TSImportType: ({ source, qualifier }) => {
      /** @returns {string} */
      const first = (/** @type {any} */ name) =>
        name?.type === "TSQualifiedName" ? first(name.left) : name?.name;
      inline.push({ from: source.value, name: first(qualifier) });
    },
  }).visit({ type: "Program", body: [declaration], sourceType: "module", hashbang: null, start: 0, end: 0 });
  return { uses, inline };
}

/** What is left of a module. */
function textOf(/** @type {Module} */ { declared, imported, forwarded, exported, needed, order }) {
  const imports = [...imported].filter(([local]) => needed.has(local));
  const forwards = [...forwarded].filter(([name]) => needed.has(`export ${name}`));
  const kept = new Set([...declared].flatMap(([name, all]) => (needed.has(name) ? all : [])));
  const lines = [
    ...grouped(imports.map(([local, one]) => ({ ...one, as: local }))).map((one) => `import ${one}`),
    ...order.filter((one) => kept.has(one)).map(({ text }) => text),
    ...grouped(forwards.map(([name, one]) => ({ ...one, as: name }))).map((one) => `export ${one}`),
    ...[...exported]
      .filter(([name, local]) => (name !== local || imported.has(local)) && needed.has(local))
      .map(([name, local]) => `export { ${local} as ${name} };`),
    "export {};",
  ];
  return `${lines.join("\n").replace(/(?<=\b(?:from |import\()")(\.[^"]+?)(?:\.d)?\.ts(?=")/g, "$1.js")}\n`;
}

/** `{ type A, B as C } from "./x.js";` for each module. */
function grouped(/** @type {readonly (Imported & { readonly as: string })[]} */ all) {
  const sources = [...new Set(all.map(({ from }) => from))];
  return sources.map((from) => {
    const own = all.filter((one) => one.from === from);
    const parts = own.map(
      ({ name, as, isType }) => `${isType ? "type " : ""}${name === as ? as : `${name} as ${as}`}`,
    );
    return `{ ${parts.join(", ")} } from ${JSON.stringify(from)};`;
  });
}
