import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { PACKAGE_FOLDERS } from '../package-folders.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type AnyFunction = (...args: readonly unknown[]) => unknown;
type AnyClass = new (...args: readonly unknown[]) => object;

/** A function, constructor or method that users of a published package can call. */
export interface Callable {
  /** The package without its scope, such as `core`. */
  readonly package: string;
  /** Such as `guard`, `Breaker` or `Breaker.observe`. */
  readonly name: string;
  /** How many parameters its source declares, those with defaults among them. */
  readonly parameters: number;
  /** Calls it; a method is called on an instance that was made from `own`. */
  readonly call: (args: readonly unknown[], own: readonly unknown[]) => unknown;
}

/** What the published packages export, under all paths that their package.json names. */
export interface PublishedExports {
  readonly callables: readonly Callable[];
  readonly errors: readonly (new (...args: never[]) => Error)[];
}

interface Manifest {
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | { readonly '@teamfuse/source'?: string }>>;
}

/** Imports every path that a published package exports, but those in `programs`, which act as soon as they are imported. */
export async function publishedExports(programs: readonly string[]): Promise<PublishedExports> {
  const callables = new Map<string, Callable>();
  const errors = new Set<PublishedExports['errors'][number]>();
  for (const [name, place] of PACKAGE_FOLDERS) {
    const folder = join(ROOT, place);
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (manifest.private === true) continue;
    for (const [path, target] of Object.entries(manifest.exports)) {
      const source = typeof target === 'string' ? undefined : target['@teamfuse/source'];
      if (source === undefined || programs.includes(`${name} ${path}`)) continue;
      const exported: Readonly<Record<string, unknown>> = await import(join(folder, source));
      for (const [id, value] of Object.entries(exported)) {
        if (typeof value !== 'function') continue;
        if (value.prototype instanceof Error) errors.add(value as never);
        // Under two paths it is the same one.
        for (const one of callablesOf(name, id, value as AnyFunction)) {
          callables.set(`${name} ${one.name}`, one);
        }
      }
    }
  }
  return { callables: [...callables.values()], errors: [...errors] };
}

function callablesOf(owner: string, name: string, value: AnyFunction): Callable[] {
  if (!/^class\b/.test(String(value))) {
    const [parameters = 0] = parametersIn(value).values();
    return [{ package: owner, name, parameters, call: (args) => value(...args) }];
  }
  const type = value as unknown as AnyClass;
  const counts = parametersIn(value);
  const statics = methodsOf(type).map(
    (method): Callable => ({
      package: owner,
      name: `${name}.${method}`,
      parameters: counts.get(method) ?? 0,
      call: (args) => (type as unknown as Record<string, AnyFunction>)[method]?.(...args),
    }),
  );
  const methods = methodsOf(type.prototype).map(
    (method): Callable => ({
      package: owner,
      name: `${name}.${method}`,
      parameters: counts.get(method) ?? 0,
      call: (args, own) => (new type(...own) as Record<string, AnyFunction>)[method]?.(...args),
    }),
  );
  const make: Callable = {
    package: owner,
    name,
    parameters: constructorParameters(value),
    call: (args) => new type(...args),
  };
  return [make, ...methods, ...statics];
}

function methodsOf(holder: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
}

/** Of a class without a constructor, what its base takes. */
function constructorParameters(type: object): number {
  const own = parametersIn(type).get('constructor');
  const base: unknown = Object.getPrototypeOf(type);
  if (own !== undefined || typeof base !== 'function' || !/^class\b/.test(String(base))) {
    return own ?? 0;
  }
  return constructorParameters(base);
}

/** The number of parameters of a function, or of each method of a class by its name. */
function parametersIn(value: object): ReadonlyMap<string, number> {
  const { program } = parseSync('function.js', `(${String(value)});`);
  const [statement] = program.body;
  let node = statement?.type === 'ExpressionStatement' ? statement.expression : undefined;
  while (node?.type === 'ParenthesizedExpression') node = node.expression;
  if (node?.type === 'ClassExpression') {
    return new Map(
      node.body.body.flatMap((member) => {
        if (member.type !== 'MethodDefinition' || !('name' in member.key)) return [];
        return [[String(member.key.name), member.value.params.length]];
      }),
    );
  }
  if (node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression') {
    return new Map([['', node.params.length]]);
  }
  throw new TypeError(`cannot read the parameters of ${String(value).slice(0, 80)}`);
}
