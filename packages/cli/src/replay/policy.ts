import {
  Breaker,
  type BreakerOptions,
  type BudgetOptions,
  InvalidOptionError,
} from '@teamfuse/core';
import { DETECTOR_SPECS, FINDING_KINDS, type FindingKind } from '@teamfuse/core/detectors';
import type { OwnerPurses } from '@teamfuse/core/kit';
import { expectedName } from '@teamfuse/core/options';

/** What a replay judges by. */
export interface ReplayPolicy {
  /** The options of its breakers. */
  readonly options: BreakerOptions;
  /** A breaker for one conversation, with this clock. Further detectors look on. */
  breaker(now: () => number, detectors?: BreakerOptions['detectors']): Breaker;
}

/** What was asked for on the command line. */
export interface PolicyOptions {
  /** The options of a policy file, on which everything else lies. */
  readonly base?: BreakerOptions | undefined;
  /** `name.of.option=value`, the value as JSON or as text. */
  readonly set?: readonly string[];
  /** The kinds that may stop a conversation; all if missing. */
  readonly only?: readonly FindingKind[] | undefined;
  readonly judge?: BreakerOptions['judge'];
}

/** No recording has a stop by hand. */
const KINDS = FINDING_KINDS.filter((kind) => kind !== 'manual');

/** @throws {@link InvalidOptionError} naming what a breaker does not take. */
export function policyOf({ base = {}, set = [], only, judge }: PolicyOptions): ReplayPolicy {
  const options = optionsOf(base, set);
  if (only !== undefined) {
    const { reaction: given } = options;
    const reaction: Record<string, unknown> =
      typeof given === 'string'
        ? Object.fromEntries(KINDS.map((kind) => [kind, given]))
        : { ...(given as object | undefined) };
    for (const kind of KINDS) {
      if (only.includes(kind)) continue;
      reaction[kind] = 'observe';
      const detector = DETECTOR_SPECS.find((spec) => spec.kind === kind)?.name;
      // Limits may be declared among the options of a detector.
      const isNeeded = only.includes('limit') && typeof options[detector ?? ''] === 'object';
      if (detector !== undefined && !isNeeded) options[detector] = false;
    }
    options.reaction = reaction;
  }
  if (judge !== undefined) options.judge = judge;
  new Breaker(options);
  const { budget } = options as BreakerOptions;
  const counted = { ...options, ...(budget && { budget: tolerant(budget) }) };
  const breaker: ReplayPolicy['breaker'] = (now, detectors = []) =>
    new Breaker({ ...counted, detectors, now });
  return { options, breaker };
}

/**
 * A budget that tolerates unknown prices: a call without a price in a recording would otherwise hide all that follows. A budget
 * refuses such calls only where dollars are the only limit.
 */
function tolerant(budget: BudgetOptions): BudgetOptions {
  const { perAgent, perModel, perConversation, perUser, perTeam, perKey } = budget;
  const { agents = {}, models = {}, users = {}, teams = {}, keys = {} } = budget;
  const single = [agents, models, users, teams, keys].flatMap((purses) => Object.values(purses));
  const purses = [budget, perAgent, perModel, perConversation, perUser, perTeam, perKey, ...single];
  const isInUsd = purses.some(({ maxUsd, perDay, perMonth }: OwnerPurses = {}) =>
    [maxUsd, perDay?.maxUsd, perMonth?.maxUsd].some((usd) => usd !== undefined),
  );
  return isInUsd ? { maxTokens: Number.MAX_SAFE_INTEGER, ...budget } : budget;
}

/** Kinds out of a list such as `budget,limit`. @throws {@link InvalidOptionError} */
export function kindsOf(option: string, list: string): readonly FindingKind[] {
  return list.split(',').map((name) => {
    const kind = KINDS.find((known) => known === name.trim());
    if (kind === undefined)
      throw new InvalidOptionError(option, expectedName(name.trim(), KINDS, 'kind'), name);
    return kind;
  });
}

/** Kinds and agents have names of more than letters: `reaction.speaker-cycle=warn`. Others stand in quotes, as in a policy. */
const NAME = /"[^"]+"|[a-zA-Z][\w-]*/g;
const SETTING = new RegExp(`^((?:${NAME.source})(?:\\.(?:${NAME.source}))*)=([^]*)$`);
const EXPECTED =
  'name=value, such as speakerCycle.limit=4 or budget.models."gpt-4.1".maxUsd=2 with quotes around other names';

function optionsOf(base: BreakerOptions, set: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = structuredClone({ ...base });
  for (const one of set) {
    const [, names = '', value = ''] = SETTING.exec(one) ?? [];
    const path = names.match(NAME)?.map((name) => name.replaceAll('"', '')) ?? [];
    if (path.length === 0 || path.includes('__proto__')) {
      throw new InvalidOptionError('--set', EXPECTED, one);
    }
    let place = options;
    for (const name of path.slice(0, -1)) {
      const inner = Object.hasOwn(place, name) ? place[name] : undefined;
      const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
      const next: Record<string, unknown> = isGroup ? (inner as Record<string, unknown>) : {};
      place[name] = next;
      place = next;
    }
    place[path.at(-1) ?? ''] = settingOf(value);
  }
  return options;
}

function settingOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
