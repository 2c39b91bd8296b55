import { InvalidOptionError } from '../common/errors.ts';
import { orInvalid } from '../common/options.ts';
import { FunctionGuard } from './function-guard.ts';
import type { AnyFunction, FunctionGuardOptions } from './guard-options.ts';

/**
 * Guards a function: a tool, an HTTP call, a model call, an agent's reply.
 *
 * Two identical calls with the same outcome are made; the third throws before the function runs. So does a call that
 * exceeds the budget or the context window. Each call is decided by itself, by a breaker of the guard's own: one that is refused
 * keeps no other from being made. Calls that run at the same time are compared once they have ended; of identical ones
 * eight run at a time, and more wait for the first results.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const add = guard((a: number, b: number) => a + b);
 * add(1, 2); // => 3
 * add(1, 2); // => 3
 * isLoop(() => add(1, 2)); // => true
 * add(1, 3); // => 4
 *
 * function isLoop(call: () => unknown): boolean {
 *   try {
 *     call();
 *     return false;
 *   } catch (error) {
 *     return error instanceof LoopDetectedError;
 *   }
 * }
 * ```
 */
export function guard<F extends AnyFunction>(fn: F, options: FunctionGuardOptions<F> = {}): F {
  return new FunctionGuard<F>(options).wrap(fn);
}

/**
 * Guards all functions of a tool box with one window and one budget: its own and those of its class, which keep their
 * `this`. Everything else in it is passed on, as it is at the time.
 *
 * @throws {@link InvalidOptionError} for tools that are no functions themselves, such as `[{ name, execute }]`: guard what each
 * of them runs, or use the adapter of your framework.
 * @example
 * ```ts
 * const tools = guardAll({ read: (path: string) => path, list: () => ['a'] }, { loop: { repeats: 2 } });
 * tools.read('a'); // => 'a'
 * tools.list().length; // => 1
 * ```
 */
export function guardAll<T extends object>(tools: T, options: FunctionGuardOptions = {}): T {
  const shared = new FunctionGuard(options);
  return orInvalid('tools', 'an object of functions', tools, () => {
    const guarded = Object.create(Object.getPrototypeOf(tools));
    const members = membersOf(tools);
    const isPrimitive = Object(tools) !== tools;
    // Nothing of it would be guarded. An empty tool box may be meant.
    if (isPrimitive || (Object.keys(tools).length > 0 && ![...members].some(isTool))) {
      throw new InvalidOptionError('tools', 'an object of functions', tools);
    }
    for (const one of members) {
      const [name, { value, enumerable = false }] = one;
      const member =
        typeof value === 'function'
          ? { value: isTool(one) ? shared.wrap(value, String(name)) : value, writable: true }
          : {
              get: () => Reflect.get(tools, name),
              set: (given: unknown) => Reflect.set(tools, name, given),
            };
      Object.defineProperty(guarded, name, { ...member, enumerable, configurable: true });
    }
    return guarded;
  });
}

/** What JavaScript itself calls, such as an iterator or a disposal, is no tool. */
function isTool([name, { value }]: readonly [PropertyKey, PropertyDescriptor]): boolean {
  return typeof name === 'string' && typeof value === 'function';
}

function ownMembers(object: object): Map<PropertyKey, PropertyDescriptor> {
  const descriptors: Record<PropertyKey, PropertyDescriptor> =
    Object.getOwnPropertyDescriptors(object);
  const names = Reflect.ownKeys(descriptors);
  return new Map(names.map((name) => [name, descriptors[name] as PropertyDescriptor]));
}

/** The members of an object, those of its class with their `this`. */
function membersOf(tools: object): ReadonlyMap<PropertyKey, PropertyDescriptor> {
  const members = ownMembers(tools);
  if (Array.isArray(tools)) return members;
  let prototype: object | null = Object.getPrototypeOf(tools);
  // What all objects have is no tool.
  while (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    for (const [name, one] of ownMembers(prototype)) {
      if (name === 'constructor' || members.has(name)) continue;
      const { value } = one;
      members.set(name, typeof value === 'function' ? { ...one, value: value.bind(tools) } : one);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return members;
}
