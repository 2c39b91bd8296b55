/// <reference lib="esnext.disposable" preserve="true" />
import { guardTeam, modelOfTeam, type Guard as TeamGuard } from '@teamfuse/adapter-agentchat';
import { type Guard as AgentsGuard, guardAgents, modelOfAgents } from '@teamfuse/adapter-groupchat';
import {
  GuardContext,
  type GuardOptions,
  type SelfTestReport,
  showWarning,
} from '@teamfuse/adapter-kit';
import {
  breakerFromPolicy,
  findPolicy,
  loadPolicy,
  type Policy,
  type PolicyOptions,
  parsePolicy,
  policyFor,
} from '@teamfuse/config';
import { type Breaker, type BreakerOptions, InvalidOptionError, type Trip } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { BREAKER_OPTIONS, checkNames } from '@teamfuse/core/options';
import type { FrameworkGuard, FrameworkTarget } from './frameworks/framework.ts';
import { FunctionNames } from './function-names.ts';
import { GuardedFunction } from './guarded-function.ts';
import { INSTALL_OPTION_NAMES, type InstallOptions } from './install-options.ts';
import { type FoundTarget, foundIn, type InstallReport } from './install-report.ts';
import { recognise, type Target } from './recognise.ts';

/** A guard on everything that a target was recognised as. */
export interface InstallGuard<T> extends Disposable {
  /** The target, with guarded functions in place of functions; agents and teams are the same objects. */
  readonly guarded: T;
  readonly breaker: Breaker;
  /** Why a run was stopped, or the circuit is not closed; `undefined` while everything may go on. */
  readonly trip: Trip | undefined;
  /** What was recognised and is guarded. */
  readonly found: readonly FoundTarget[];
  /** What was found, under which policy, what is not guarded, and whether a known loop is stopped. */
  report(): Promise<InstallReport>;
  /**
   * Runs work that wraps up what was done, such as a last summary: its model calls may use what the budget keeps back
   * (`reserveUsd`), also after the budget has stopped everything. Tools, code, functions and nested chats stay refused.
   */
  wrapUp<T>(work: () => T): T;
  /** Takes everything off again. Idempotent; guarded functions call on unguarded. */
  uninstall(): void;
}

/**
 * Guards whatever it is given: agents of the 0.2 shape, groups and managers with all their members, teams of the 0.4
 * shape, agents, models and tools of other frameworks, functions, objects of functions, and lists of these. One breaker watches them all.
 *
 * @param policy what is allowed: a policy, the options of a breaker, or a breaker, such as that of a tenant. By default the nearest
 *   `teamfuse.toml`, and where there is none, the defaults of a breaker.
 * @throws {@link GuardInstallError} if a target is not recognised, with nothing installed.
 * @throws {@link PolicyError} if the policy is wrong.
 * @throws {@link InvalidOptionError} if an option is, or what is given is no policy.
 * @example
 * ```ts
 * const guard = installOn({ max: Math.max, min: Math.min }, { maxToolCalls: 2 });
 * guard.guarded.max(1, 2); // => 2
 * guard.guarded.min(1, 2); // => 1
 * guard.trip?.kind; // => 'limit'
 * guard.uninstall();
 * guard.guarded.max(3, 4); // => 4
 * ```
 */
export function installOn<T extends object>(
  target: T,
  policy?: Policy | BreakerOptions | Breaker,
  options: InstallOptions = {},
): InstallGuard<T> {
  checkNames('', options, INSTALL_OPTION_NAMES);
  const targets = recogniseAll(target);
  const { cwd, counter, history, onError, conversation, team, ...code } = options;
  const install = (
    breaker: Breaker,
    source: Installation<T>['source'],
    pricing: object = {},
  ): InstallGuard<T> => {
    const given = { ...pricing, counter, history, onError, conversation };
    const known = Object.entries(given).filter(([, value]) => value !== undefined);
    return new Installation(target, targets, breaker, source, Object.fromEntries(known));
  };
  if (isBreaker(policy)) {
    const { prices, models, ...others } = code;
    refuseOptions({ cwd, team, ...others });
    return install(policy, { policy: null, team: null }, { prices, models });
  }
  const used = policy === undefined ? nearestPolicy(cwd) : asPolicy(policy);
  // Refuses what is no policy before anything in it is read.
  if (used !== undefined) policyFor(used);
  const section = team ?? ownSection(targets, used);
  const breaker = breakerFromPolicy(used ?? NO_POLICY, { ...code, team: section });
  return install(breaker, { policy: used?.file || null, team: section ?? null });
}

/** Whether it is a breaker, of this copy of core or another. */
function isBreaker(given: unknown): given is Breaker {
  try {
    return typeof Object(given).conversation === 'function';
  } catch {
    return false;
  }
}

/** @throws {@link InvalidOptionError} for options that belong to a breaker which is made here. */
function refuseOptions(options: object): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  const sentence = `option '${given}' cannot be combined with a breaker, which has its options already`;
  throw new InvalidOptionError(given, 'nothing beside a breaker', given, sentence);
}

/** Options that were given in code are a policy without a file. */
function asPolicy(given: Policy | BreakerOptions): Policy {
  if (isPolicy(given)) return given;
  checkNames('', given, BREAKER_OPTIONS);
  return { file: '', text: '', options: given as PolicyOptions, teams: {} };
}

/** Whether it is a policy, or nothing that could be options either. */
function isPolicy(given: Policy | BreakerOptions): given is Policy {
  try {
    return typeof given !== 'object' || given === null || 'file' in given;
  } catch {
    return false;
  }
}

const NO_POLICY: Policy = parsePolicy('', 'no file');

function nearestPolicy(cwd: string | undefined): Policy | undefined {
  const path = findPolicy(cwd);
  return path === undefined ? undefined : loadPolicy({ path });
}

/** A single target that has a section under its own name. */
function ownSection([target, ...others]: readonly Target[], policy?: Policy): string | undefined {
  if (target === undefined || others.length > 0) return undefined;
  return Object.hasOwn(policy?.teams ?? {}, target.name) ? target.name : undefined;
}

function recogniseAll(target: unknown): readonly Target[] {
  try {
    return targetsIn(target);
  } catch (error) {
    if (error instanceof GuardInstallError) throw error;
    throw new GuardInstallError('the target', 'an object that can be read', { cause: error });
  }
}

function targetsIn(target: unknown): readonly Target[] {
  if (!Array.isArray(target)) return [recognise(target, 'the target')];
  if (target.length === 0) {
    throw new GuardInstallError('the target', 'a list that is not empty');
  }
  return target.map((one, index) => recognise(one, `item ${index + 1} of the list`));
}

class Installation<T extends object> implements InstallGuard<T> {
  readonly guarded: T;
  readonly breaker: Breaker;
  readonly found: readonly FoundTarget[];
  readonly source: Pick<InstallReport, 'policy' | 'team'>;
  /** The id of the conversation of functions. */
  readonly #own: string;
  readonly #guards: (AgentsGuard | TeamGuard)[] = [];
  readonly #frameworks: Map<FrameworkTarget, FrameworkGuard> = new Map();
  readonly #functions: GuardedFunction[] = [];
  readonly #ends: (() => void)[] = [];
  /** Where work wraps up if nothing has a guard of its own. */
  #place: GuardContext | undefined;

  constructor(
    target: T,
    targets: readonly Target[],
    breaker: Breaker,
    source: Pick<InstallReport, 'policy' | 'team'>,
    options: GuardOptions,
  ) {
    this.breaker = breaker;
    this.found = targets.map(foundIn);
    this.source = source;
    const { onError = (problem) => showWarning(problem, breaker), conversation = '' } = options;
    this.#own = conversation;
    try {
      this.#guard(targets, options);
    } catch (error) {
      this.uninstall();
      throw error;
    }
    // Guards of agents and teams report what the breaker emits.
    if (this.#guards.length === 0) {
      const quit = breaker.on('error', ({ error }) => onError({ during: 'breaker', error }));
      this.#ends.push(quit);
    }
    const names = new FunctionNames();
    const guardedOnes = targets.map((one, index) => {
      const original: object = Array.isArray(target) ? target[index] : target;
      if ('framework' in one) return this.#frameworks.get(one.framework)?.guarded ?? original;
      if (!('functions' in one)) return original;
      const guarded = Object.entries(one.functions).map(([name, fn]) => {
        const tool = names.nameOf(fn, name);
        const tap = new GuardedFunction(fn, tool, breaker.conversation(conversation), onError);
        this.#functions.push(tap);
        return [name, tap.fn] as const;
      });
      return one.kind === 'function'
        ? guarded[0]?.[1]
        : { ...original, ...Object.fromEntries(guarded) };
    });
    this.guarded = (Array.isArray(target) ? guardedOnes : guardedOnes[0]) as T;
  }

  get trip(): Trip | undefined {
    return (
      this.#guards.map((guard) => guard.trip).find(Boolean) ??
      this.breaker.conversation(this.#own).trip
    );
  }

  async report(): Promise<InstallReport> {
    const tests: SelfTestReport[] = [];
    for (const guard of this.#guards) tests.push(await guard.selfTest());
    const functions = this.#functions.map((one) => one.check());
    const isPassed = [...tests.map((test) => test.isPassed), ...functions.map((f) => f.isWorking)];
    return {
      ...this.source,
      found: this.found,
      unguarded: [...new Set(tests.flatMap(({ unguarded }) => unguarded))],
      isPassed: isPassed.every(Boolean),
      checks: [...tests.flatMap(({ checks }) => checks), ...functions],
    };
  }

  wrapUp<T>(work: () => T): T {
    // All of them have one breaker, and so one place at which work wraps up.
    const [guard = this.#place] = this.#guards;
    return guard === undefined ? work() : guard.wrapUp(work);
  }

  uninstall(): void {
    for (const guard of this.#guards.toReversed()) guard.uninstall();
    for (const one of this.#frameworks.values()) one.uninstall();
    for (const one of this.#functions) one.remove();
    for (const end of this.#ends.splice(0)) end();
  }

  [Symbol.dispose](): void {
    this.uninstall();
  }

  #guard(targets: readonly Target[], options: GuardOptions): void {
    const { breaker } = this;
    const agents = [...new Set(targets.flatMap((one) => ('agents' in one ? one.agents : [])))];
    const teams = [...new Set(targets.flatMap((one) => ('team' in one ? [one.team] : [])))];
    const others = targets.flatMap((one) => ('framework' in one ? [one.framework] : []));
    const models = [modelOfAgents(agents), ...teams.map(modelOfTeam)];
    const ofOthers = others.map(({ model }) => model);
    // One judge is enough for all of them: those without a model need none where others have one.
    const isAskable = [...models, ...ofOthers].some((model) => model !== undefined);
    const optionsFor = (model: unknown): GuardOptions =>
      model === undefined && isAskable ? { ...options, judge: false } : options;
    const [ofAgents, ...ofTeams] = models;
    if (agents.length > 0) this.#guards.push(guardAgents(agents, breaker, optionsFor(ofAgents)));
    for (const [at, team] of teams.entries()) {
      this.#guards.push(guardTeam(team, breaker, optionsFor(ofTeams[at])));
    }
    for (const one of others) {
      const installed = one.install(breaker, optionsFor(one.model));
      this.#frameworks.set(one, installed);
      if (installed.guard !== undefined) this.#guards.push(installed.guard);
    }
    // Functions have no model that a judge could ask, and models have no guard that lends it.
    if (this.#guards.length === 0) {
      const place = new GuardContext(breaker, { ...options, conversation: this.#own });
      place.lendJudge(ofOthers.find((model) => model !== undefined));
      this.#place = place;
      this.#ends.push(() => place.close());
    }
  }
}
