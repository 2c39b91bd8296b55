import { ContextWindow } from '../budget/context-window.ts';
import { Pricing } from '../budget/pricing.ts';
import { SharedSpend } from '../budget/shared-spend.ts';
import type { SharedCircuits, SharedCircuitsParts } from '../circuit/circuit-sharing.ts';
import { WRAP_UP_OPTIONS } from '../circuit/wrap-up.ts';
import { machineNow } from '../common/clock.ts';
import { BreakerError, InvalidOptionError, InvalidSnapshotError } from '../common/errors.ts';
import { atOnce } from '../common/maybe-promise.ts';
import { readOptions } from '../common/option-table.ts';
import { checkNames, functionOf, integer, OPTIONS_PAGE, orInvalid } from '../common/options.ts';
import { WeakValues } from '../common/weak-values.ts';
import { factorOf, streamLimitOf } from '../detection/detectors/default-detectors.ts';
import { BreakerEvents, FirstErrorWarning } from '../events/breaker-events.ts';
import { Tally } from '../events/counters.ts';
import { Judges } from '../judge/judges.ts';
import { checkReactions, stopsFor } from '../reactions/reaction.ts';
import { count } from '../state/codec.ts';
import { Throttle } from '../throttle/throttle.ts';
import { BREAKER_OPTIONS, type BreakerOptions } from './breaker-options.ts';
import { type BreakerSnapshot, checkSnapshot, SNAPSHOT_VERSION } from './breaker-snapshot.ts';
import type { ConversationSettings, Shared } from './conversation-parts.ts';
import { Conversations, MAIN } from './conversations.ts';
import { RememberedStops } from './remembered-stops.ts';

/** What a breaker and the breakers of its tenants have in common. */
export interface BreakerCore {
  readonly shared: Shared;
  readonly conversations: Conversations;
  /** The breakers of the tenants. */
  readonly views: WeakValues;
}

/** Puts a breaker together; `shown` says what may be quoted of an error. @throws {@link InvalidOptionError} */
export function createCore(
  options: BreakerOptions,
  shown: (error: unknown) => string,
): BreakerCore {
  checkNames('', options, BREAKER_OPTIONS, OPTIONS_PAGE);
  const { scope = 'conversation', now = machineNow, timers, contextWindow } = options;
  if (scope !== 'conversation' && scope !== 'breaker') {
    throw new InvalidOptionError('scope', "'conversation' or 'breaker'", scope);
  }
  functionOf('now', now);
  const settings = settingsOf(options);
  const events = new BreakerEvents(new FirstErrorWarning(shown));
  const spend = new SharedSpend(options.budget, now, timers);
  const isOne = scope === 'breaker';
  if (options.tellLimits) spend.budget.warnings.countDown();
  const shared: Shared = {
    options,
    settings,
    now,
    events,
    spend,
    tally: new Tally(),
    throttle: new Throttle(options.throttle ?? {}, {
      now,
      timers,
      lastsMs: spend.budget.reservations.lastsMs,
    }),
    pricing: new Pricing(options, (error) =>
      events.emit('error', { error, during: 'prices', conversation: MAIN }),
    ),
    window: contextWindow && new ContextWindow(contextWindow),
    circuits: circuitsOf(options, {
      cooldownMs: settings.cooldownMs,
      now,
      timers,
      isOne,
      report: (error) => events.emit('error', { error, during: 'store', conversation: MAIN }),
    }),
    unread: { isTold: false },
    judges: new Judges(options.judge, {
      factor: factorOf(options.sensitivity ?? 'normal'),
      hasExcerpts: options.excerpts !== false,
      openJudges: () => conversations.all.map(({ parts }) => parts.judge),
    }),
  };
  const conversations = new Conversations(shared, isOne);
  shared.circuits?.begin(conversations);
  return { shared, conversations, views: new WeakValues() };
}

/** Checks what each conversation goes by. @throws {@link InvalidOptionError} */
function settingsOf(options: BreakerOptions): ConversationSettings {
  const { cooldownMs, maxIdenticalInFlight } = BREAKER_OPTIONS;
  const most = options.maxIdenticalInFlight ?? maxIdenticalInFlight.default;
  const { min, max, default: usual } = cooldownMs;
  const reaction = checkReactions(options.reaction);
  return {
    reaction,
    wrapUp: options.wrapUp && readOptions('wrapUp', options.wrapUp, WRAP_UP_OPTIONS),
    cooldownMs: integer('cooldownMs', options.cooldownMs ?? usual, min, max),
    maxIdenticalInFlight: integer('maxIdenticalInFlight', most, maxIdenticalInFlight.min),
    streamLimit: streamLimitOf(options, (kind) => stopsFor(kind, reaction)),
  };
}

function circuitsOf(
  { circuits }: BreakerOptions,
  parts: SharedCircuitsParts,
): SharedCircuits | undefined {
  if (circuits === undefined) return undefined;
  const expected = 'shared(store) of @teamfuse/stores/fleet';
  const made = orInvalid('circuits', expected, circuits, () => atOnce('circuits', circuits(parts)));
  if (typeof Object(made).begin === 'function') return made;
  throw new InvalidOptionError('circuits', expected, circuits);
}

/** The state of a breaker as plain JSON. */
export function snapshotOf({ shared, conversations }: BreakerCore): BreakerSnapshot {
  return {
    version: SNAPSHOT_VERSION,
    spend: shared.spend.snapshot(),
    conversations: Object.fromEntries(conversations.kept.map((one) => [one.id, one.snapshot()])),
    counters: shared.tally.snapshot(),
    teams: conversations.teams,
    ...conversations.snapshot(),
  };
}

/** Restores {@link snapshotOf}. If that fails, nothing has changed. @throws {@link InvalidSnapshotError} naming the wrong field. */
export function restoreCore(core: BreakerCore, snapshot: unknown): void {
  try {
    const checked = checkSnapshot(snapshot);
    core.shared.events.allOrNone(() => restoreChecked(core, checked));
  } catch (error) {
    if (error instanceof BreakerError) throw error;
    throw new InvalidSnapshotError('', 'readable data', snapshot);
  }
}

function restoreChecked({ shared, conversations }: BreakerCore, snapshot: BreakerSnapshot): void {
  const { spend, conversations: states, counters, teams = 1, ...beside } = snapshot;
  const { [MAIN]: main, ...others } = states;
  new Tally().restore('counters', counters);
  const named = count.read('teams', teams);
  const stops = RememberedStops.of(beside);
  const restored = Object.entries(others).map(([id, state]) => {
    const conversation = conversations.create(id);
    conversation.restore(state);
    return conversation;
  });
  const before = shared.spend.snapshot();
  shared.spend.restore(spend);
  try {
    conversations.main.restore(main);
  } catch (error) {
    shared.spend.restore(before);
    throw error;
  }
  conversations.restoreStops(stops);
  // A new team is none of those whose purses are restored.
  conversations.teams = Math.max(conversations.teams, named);
  shared.tally.restore('counters', counters);
  conversations.replaceOthers(restored);
  // The store is newer than the snapshot.
  shared.circuits?.begin(conversations);
}

/** The registry of listeners, shared by all copies of this package in a process. */
const LISTENERS = Symbol.for('teamfuse.breakers');

interface Announcements {
  readonly [LISTENERS]?: Iterable<(breaker: object) => void>;
}

/** Announces a new breaker to listeners that were loaded before the program, such as a recorder. */
export function announce(breaker: object, failed: (error: unknown) => void): void {
  const { [LISTENERS]: listeners } = globalThis as Announcements;
  if (listeners === undefined) return;
  for (const listener of listeners) {
    try {
      listener(breaker);
    } catch (error) {
      failed(error);
    }
  }
}
