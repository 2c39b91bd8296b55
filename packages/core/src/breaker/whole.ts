import { RESERVATION_MS } from '../budget/budget.ts';
import { SharedSpend } from '../budget/shared-spend.ts';
import { factorOf } from '../detectors/default-detectors.ts';
import { InvalidOptionError } from '../errors.ts';
import { Judges } from '../judge/judges.ts';
import { machineNow } from '../machine.ts';
import { checkNames, functionOf, OPTIONS_PAGE, reading } from '../options.ts';
import { Pricing } from '../pricing.ts';
import { BREAKER_OPTIONS, type BreakerOptions } from './breaker-options.ts';
import { cooldownIn } from './circuit/circuit-controller.ts';
import { SharedCircuits } from './circuit/shared-circuits.ts';
import type { Shared } from './conversation-parts.ts';
import { Conversations, MAIN } from './conversations.ts';
import { Tally } from './counters.ts';
import { BreakerEvents } from './events/breaker-events.ts';
import { UntoldErrors } from './events/untold-errors.ts';
import { Views } from './tenants/views.ts';
import { Throttle } from './throttle/throttle.ts';

/** What a breaker and the breakers of its tenants have in common. */
export interface Whole {
  readonly shared: Shared;
  readonly conversations: Conversations;
  /** The breakers of the tenants. */
  readonly views: Views;
}

/** Puts a breaker together; `shown` says what may be quoted of an error. @throws {@link InvalidOptionError} */
export function wholeOf(options: BreakerOptions, shown: (error: unknown) => string): Whole {
  checkNames('', options, BREAKER_OPTIONS, OPTIONS_PAGE);
  const { scope = 'conversation' } = options;
  if (scope !== 'conversation' && scope !== 'breaker') {
    throw new InvalidOptionError('scope', "'conversation' or 'breaker'", scope);
  }
  if (options.now !== undefined) functionOf('now', options.now);
  const events = new BreakerEvents(new UntoldErrors(shown));
  const shared: Shared = {
    options,
    events,
    spend: new SharedSpend(options.budget, options.now, options.timers),
    tally: new Tally(),
    throttle: new Throttle(options.throttle ?? {}, {
      now: options.now ?? machineNow,
      timers: options.timers,
      lastsMs: options.budget?.reservationMs ?? RESERVATION_MS,
    }),
    pricing: new Pricing(options, (error) =>
      events.emit('error', { error, during: 'prices', conversation: MAIN }),
    ),
    circuits: circuitsOf(options, (error) =>
      events.emit('error', { error, during: 'store', conversation: MAIN }),
    ),
    judges: new Judges(options.judge, {
      factor: factorOf(options.sensitivity ?? 'normal'),
      hasExcerpts: options.excerpts !== false,
      asking: () => conversations.all.map(({ judge }) => judge),
    }),
  };
  const conversations = new Conversations(shared, scope === 'breaker');
  shared.circuits?.begin(conversations);
  return { shared, conversations, views: new Views() };
}

function circuitsOf(
  { circuits, cooldownMs, now = machineNow, timers, scope }: BreakerOptions,
  report: (error: unknown) => void,
): SharedCircuits | undefined {
  if (circuits === undefined) return undefined;
  for (const name of ['apply', 'follow'] as const) {
    const option = `circuits.${name}`;
    functionOf(
      option,
      reading(option, 'a function', circuits, () => circuits[name]),
    );
  }
  const isOne = scope === 'breaker';
  const parts = { cooldownMs: cooldownIn(cooldownMs), now, timers, isOne, report };
  return new SharedCircuits(circuits, parts);
}
