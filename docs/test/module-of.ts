import type { Block } from './blocks.ts';

const DECLARED = /\b(?:const|let|class|function\*?|interface|type|enum)\s+(\w+)/g;
const BOUND = /\b(?:const|let)\s+[{[]([^}\]]*)[}\]]/g;
const IMPORTED = /\bimport\s+(?:type\s+)?(?:\*\s+as\s+)?([\w\s{},*]+?)\s+from\b/g;
const CLAIM = /^(\s*)(.+?);?\s*\/\/ => (.+)$/gm;
const NAMED = /^(?:const|let) (?:\{ )?(\w+)(?: \})? =/;

/** Where names come from that a block uses and does not declare: the import of each. */
export type Source = ReadonlyMap<string, string>;

/** The block as a module: with imports for what is taken as given, and a check for each `// => value`. */
export function moduleOf(block: Block, sources: readonly Source[]): string {
  const code = `${block.given}\n${block.code}\n${block.after}`;
  const known = declaredIn(code);
  const used = new Set(stripped(code).match(/[A-Za-z_$][\w$]*/g));
  const imports = sources.flatMap((source) =>
    [...source].flatMap(([name, statement]) => {
      if (!used.has(name) || known.has(name)) return [];
      known.add(name);
      return [`${statement}\n`];
    }),
  );
  const claimed = `${block.code}\n${block.after}`.replace(
    CLAIM,
    (_line, indent: string, statement: string, expected: string) => {
      const declared = NAMED.exec(statement)?.[1];
      return declared === undefined
        ? `${indent}check(${statement}, ${expected});`
        : `${indent}${statement}; check(${declared}, ${expected});`;
    },
  );
  const check = !claimed.includes('check(') ? '' : "import { check } from '../given/check.ts';\n";
  const awaited = imports.join('').includes('{ it }')
    ? "export { checks } from '../given/anywhere.ts';\n"
    : 'export {};\n';
  return `${check}${imports.join('')}${block.given}\n${claimed}\n${awaited}`;
}

function declaredIn(code: string): Set<string> {
  const lists = [...code.matchAll(BOUND), ...code.matchAll(IMPORTED)].flatMap(([, list = '']) =>
    list.split(',').map(
      (item) =>
        item
          .replace(/[{}]/g, '')
          .split(/:|\bas\b/)
          .at(-1)
          ?.split('=')[0]
          ?.trim() ?? '',
    ),
  );
  return new Set([...[...code.matchAll(DECLARED)].map(([, name = '']) => name), ...lists]);
}

/** The code without comments, and without texts that are no templates. */
function stripped(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'(?:\\.|[^'\\\n])*'/g, "''");
}

const STATEMENT = /\bimport\s+(type\s+)?(?:\*\s+as\s+(\w+)|\{([^}]*)\})\s+from\s+('[^']+')/g;

/** What a block imports, for the blocks that follow it in its document. */
export function importsOf({ given, code }: Block): Source {
  return new Map(
    [...`${given}\n${code}`.matchAll(STATEMENT)].flatMap<readonly [string, string]>(
      ([, type = '', all, list = '', module]) => {
        if (all !== undefined) return [[all, `import * as ${all} from ${module};`]];
        return list
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
          .map((item) => [
            item.split(/\s+/).at(-1) ?? '',
            `import ${type}{ ${item} } from ${module};`,
          ]);
      },
    ),
  );
}
