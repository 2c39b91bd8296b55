import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { Place } from './policy-error.ts';

/** A step into a table by its key, or into a list by its number. */
export type PathStep = string | number;

type Path = readonly PathStep[];

/** A key, or a part of one with dots, and what it leads to. */
interface Written {
  readonly path: Path;
  readonly node: AST.TOMLBare | AST.TOMLQuoted;
}

/** The first place of a key in valid TOML; if the key is missing, the place of the nearest enclosing table. */
export function locateKey(text: string, path: Path): Place | undefined {
  const keys = keysOf(text);
  for (let length = path.length; length > 0; length--) {
    const found = keys.find((key) => isSame(key.path, path.slice(0, length)));
    if (found === undefined) continue;
    const { line, column } = found.node.loc.start;
    return { line, column: column + 1 };
  }
  return undefined;
}

/** All keys, in the order in which they are written. */
function keysOf(text: string): readonly Written[] {
  try {
    return [...keysOfTable(parseTOML(text).body[0])];
  } catch (error) {
    // TOML versions differ in details; the parser that reads the values decides.
    if (error instanceof ParseError) return [];
    throw error;
  }
}

function* keysOfTable({ body }: AST.TOMLTopLevelTable): Generator<Written> {
  for (const item of body) {
    if (item.type === 'TOMLKeyValue') yield* keysOfPair(item, []);
    else {
      yield* keysOfHeader(item);
      for (const pair of item.body) yield* keysOfPair(pair, item.resolvedKey);
    }
  }
}

/** In a list of tables the path of a header has numbers as well, which are not written. */
function* keysOfHeader({ key, resolvedKey }: AST.TOMLTable): Generator<Written> {
  const nodes = key.keys.values();
  for (const [at, step] of resolvedKey.entries()) {
    if (typeof step === 'number') continue;
    const { value: node } = nodes.next();
    if (node !== undefined) yield { path: resolvedKey.slice(0, at + 1), node };
  }
}

function* keysOfPair({ key, value }: AST.TOMLKeyValue, table: Path): Generator<Written> {
  let path = table;
  for (const node of key.keys) {
    path = [...path, node.type === 'TOMLBare' ? node.name : node.value];
    yield { path, node };
  }
  yield* keysOfValue(value, path);
}

function* keysOfValue(value: AST.TOMLContentNode, path: Path): Generator<Written> {
  if (value.type === 'TOMLInlineTable') {
    for (const pair of value.body) yield* keysOfPair(pair, path);
  } else if (value.type === 'TOMLArray') {
    for (const [at, element] of value.elements.entries()) {
      yield* keysOfValue(element, [...path, at]);
    }
  }
}

function isSame(path: Path, other: Path): boolean {
  return path.length === other.length && path.every((step, at) => step === other[at]);
}
