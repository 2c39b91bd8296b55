import { parseSync } from 'vite';

/** Names of clocks, timers, randomness, input and output, wherever they stand: called, handed on, or taken out of another object. */
const FORBIDDEN = new Set([
  'clearInterval',
  'clearTimeout',
  'crypto',
  'fetch',
  'getRandomValues',
  'hrtime',
  'performance',
  'process',
  'queueMicrotask',
  'randomUUID',
  'requestAnimationFrame',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);
/** What may be taken from objects that have both: the same every time. */
const ALLOWED_MEMBERS: Readonly<Record<string, (member: string) => boolean>> = {
  Date: (member) => member === 'UTC' || member === 'parse',
  Math: (member) => member !== 'random',
  AbortSignal: (member) => member !== 'timeout',
};
/** Paths within a program at which only types stand. */
const TYPES = new Set(['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType']);

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly [key: string]: unknown;
}

/** What a program takes from the machine it runs on: its clock, timers, randomness and environment. */
export function machineUses(source: string): readonly string[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new SyntaxError(errors[0]?.message);
  return [...usesOf(program as unknown as Node)];
}

function* usesOf(node: Node): Generator<string> {
  if (/^TS(?:Interface|TypeAlias)/.test(node.type)) return;
  if (node.type === 'Identifier' && FORBIDDEN.has(node.name ?? '')) yield String(node.name);
  if (node.type === 'Literal' && String(node.value).startsWith('node:')) yield String(node.value);
  const own = sharedUse(node);
  if (own.use !== undefined) yield own.use;
  for (const [key, value] of Object.entries(node)) {
    if (TYPES.has(key) || own.read.includes(key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* usesOf(child);
    }
  }
}

/** Of objects that have both: what is wrong with this use of one, and which children have been read with it. */
function sharedUse(node: Node): { readonly use?: string; readonly read: readonly string[] } {
  if (node.type === 'Identifier' && Object.hasOwn(ALLOWED_MEMBERS, node.name ?? '')) {
    return { use: String(node.name), read: [] };
  }
  // A date that is made from a number is the same every time.
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date') {
    const hasTime = (node.arguments as readonly unknown[]).length > 0;
    return hasTime ? { read: ['callee'] } : { use: 'new Date()', read: ['callee'] };
  }
  if (node.type !== 'MemberExpression') return { read: [] };
  const member = nameOf(node.property) ?? String((node.property as Node).value);
  if (FORBIDDEN.has(member)) return { use: member, read: ['property'] };
  const owner = nameOf(node.object) ?? nameOf((node.object as Node).property);
  const isAllowed = owner === undefined ? undefined : ALLOWED_MEMBERS[owner];
  if (isAllowed === undefined) return { read: [] };
  const isKnown = node.computed !== true || (node.property as Node).type === 'Literal';
  return isKnown && isAllowed(member)
    ? { read: ['object', 'property'] }
    : { use: `${owner}.${member}`, read: ['object', 'property'] };
}

function nameOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? value.name : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
