import { type GuardableTeam, isChatAgent, isGuardableTeam } from '@teamfuse/adapter-agentchat';
import { type GuardableAgent, isGuardableAgent, membersOf } from '@teamfuse/adapter-groupchat';
import { describe } from '@teamfuse/adapter-kit';
import { type AnyFunction, GuardInstallError } from '@teamfuse/core/kit';
import type { FrameworkTarget } from './frameworks/framework.ts';
import { FRAMEWORKS, FRAMEWORKS_PAGE, inFramework } from './frameworks/frameworks.ts';

/** What a target was recognised as. A group is known by itself or by its manager. */
export type Target =
  | {
      readonly kind: 'agent' | 'group';
      readonly name: string;
      readonly agents: readonly GuardableAgent[];
    }
  | { readonly kind: 'team'; readonly name: string; readonly team: GuardableTeam }
  | {
      readonly kind: FrameworkTarget['kind'];
      readonly name: string;
      readonly framework: FrameworkTarget;
    }
  | {
      readonly kind: 'function' | 'tools';
      readonly name: string;
      readonly functions: Readonly<Record<string, AnyFunction>>;
    };

const RECOGNISED = [
  'an agent with registerReply',
  'a group of such agents or its manager',
  'a team with run, runStream and participants',
  ...FRAMEWORKS.map(({ recognised }) => recognised),
  'a function',
  'an object of functions',
  'or a list of these',
].join(', ');

/**
 * What a target is, and everything in it that can be guarded.
 * @throws {@link GuardInstallError} naming the recognised kinds and the received value.
 */
export function recognise(target: unknown, place: string): Target {
  if (isGuardableTeam(target)) {
    return { kind: 'team', name: target.name, team: target as GuardableTeam };
  }
  if (isGuardableAgent(target)) {
    const agents = withMembers([target]);
    return { kind: agents.length > 1 ? 'group' : 'agent', name: target.name, agents };
  }
  const framework = inFramework(target);
  if (framework !== undefined) return { kind: framework.kind, name: framework.name, framework };
  const members = membersOf({ groupchat: target })?.filter(isGuardableAgent) ?? [];
  if (members.length > 0) return { kind: 'group', name: '', agents: withMembers(members) };
  if (typeof target === 'function' && !isClass(target)) {
    const name = target.name || 'function';
    return { kind: 'function', name, functions: { [name]: target as AnyFunction } };
  }
  const functions = functionsOf(target);
  if (Object.keys(functions).length > 0) return { kind: 'tools', name: '', functions };
  const page = `For other frameworks, see ${FRAMEWORKS_PAGE}`;
  throw new GuardInstallError(place, `${RECOGNISED}; received ${received(target)}. ${page}`);
}

/** The agents of groups, and of the groups in them. */
function withMembers(agents: readonly GuardableAgent[]): readonly GuardableAgent[] {
  const all = new Set(agents);
  for (const agent of all) {
    for (const member of membersOf(agent) ?? []) all.add(member as GuardableAgent);
  }
  return [...all];
}

/** The functions of an object that has no class. */
function functionsOf(target: unknown): Readonly<Record<string, AnyFunction>> {
  if (!isPlainObject(target)) return {};
  const found = Object.entries(target).filter(([, value]) => isFunction(value));
  return Object.fromEntries(found);
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function' && !isClass(value);
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}

function received(target: unknown): string {
  if (isChatAgent(target)) {
    return `the agent '${target.name}' by itself: pass its team, or wrap it as a GuardedAgent`;
  }
  if (typeof target === 'function') return `the class '${target.name}': pass an instance of it`;
  return describe(target);
}
