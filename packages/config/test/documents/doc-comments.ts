import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the comment of an option says. */
export interface OptionDoc {
  readonly text: string;
  /** As it is written there: `3`, `'stop'`, or words. */
  readonly defaultValue?: string;
}

/** Where the options of core are documented. */
const FOLDERS = ['core', 'prices'].map((name) =>
  fileURLToPath(new URL(`../../../${name}/src`, import.meta.url)),
);
const INTERFACE = /^export interface (\w+)(?:\s+extends ([^{]+?))?\s*\{\n(.*?)^\}/gms;
const MEMBER = /^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\s*?\n? {2}readonly (\w+)\??:/gms;

/** The comments of all options of these interfaces, inherited ones included. */
export function readDocs(): (interfaceName: string, option: string) => OptionDoc | undefined {
  const own = new Map<string, Map<string, OptionDoc>>();
  const parents = new Map<string, readonly string[]>();
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    for (const [, name = '', bases = '', body = ''] of readFileSync(file, 'utf8').matchAll(
      INTERFACE,
    )) {
      parents.set(name, bases.match(/\w+/g) ?? []);
      const members = [...body.matchAll(MEMBER)];
      own.set(name, new Map(members.map(([, doc = '', member = '']) => [member, read(doc)])));
    }
  }
  const find = (name: string, option: string): OptionDoc | undefined => {
    const found = own.get(name)?.get(option);
    if (found !== undefined) return found;
    return (parents.get(name) ?? []).map((base) => find(base, option)).find(Boolean);
  };
  return find;
}

function read(comment: string): OptionDoc {
  const [text = '', defaultValue] = comment
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .split('@defaultValue');
  return {
    text: text.trim().replaceAll('|', '\\|'),
    ...(defaultValue !== undefined && { defaultValue: defaultValue.trim() }),
  };
}
