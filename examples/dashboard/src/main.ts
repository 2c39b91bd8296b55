import { guardTeam } from '@teamfuse/adapter-agentchat';
import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { Breaker, type Signal } from '@teamfuse/core';
import { streams } from '@teamfuse/core/rx';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { PriceList } from '@teamfuse/prices';
import { FakeClock } from '@teamfuse/testing';
import {
  combineLatest,
  distinctUntilChanged,
  filter,
  map,
  merge,
  type Observable,
  sample,
  scan,
  startWith,
} from 'rxjs';

const EXPECTED = 'open       last minute: $0.29   trips in ten minutes: 2';
const MINUTE_MS = 60_000;

/** Each model call takes five seconds of this clock, so that every run of the example is the same. */
const clock = new FakeClock(0);
class SlowModel extends ReplayChatCompletionClient {
  override create(
    ...call: Parameters<ReplayChatCompletionClient['create']>
  ): ReturnType<ReplayChatCompletionClient['create']> {
    clock.advance(5_000);
    return super.create(...call);
  }
}

const breaker = new Breaker({ now: clock.now, cooldownMs: MINUTE_MS, judge: false });
const { signals$, trips$, state$ } = streams(breaker);

/** What `amounts$` add up to over the last `windowMs`. Every signal of the team moves the window on. */
function rolling(amounts$: Observable<Entry>, windowMs: number): Observable<number> {
  const time$ = signals$.pipe(map(({ signal }) => ({ at: signal.at, amount: 0 })));
  return merge(time$, amounts$).pipe(
    scan<Entry, Entry[]>((entries, latest) => {
      const kept = entries.filter(({ at }) => at > latest.at - windowMs);
      return latest.amount === 0 ? kept : [...kept, latest];
    }, []),
    map((entries) => entries.reduce((sum, { amount }) => sum + amount, 0)),
    startWith(0),
  );
}

interface Entry {
  readonly at: number;
  readonly amount: number;
}

const costOf = (signal: Signal): number => (signal.kind === 'usage' ? (signal.costUsd ?? 0) : 0);
const spend$ = rolling(
  signals$.pipe(map(({ signal }) => ({ at: signal.at, amount: costOf(signal) }))),
  MINUTE_MS,
);
const tripCount$ = rolling(trips$.pipe(map(({ at }) => ({ at, amount: 1 }))), 10 * MINUTE_MS);

/** When the line is looked at: after each turn, and after each trip. */
const turns$ = merge(signals$.pipe(filter(({ signal }) => signal.kind === 'message')), trips$);

let last = '';
combineLatest([state$, spend$, tripCount$])
  .pipe(
    map(
      ([state, usd, trips]) =>
        `${state.padEnd(10)} last minute: $${usd.toFixed(2)}   trips in ten minutes: ${trips}`,
    ),
    sample(turns$),
    distinctUntilChanged(),
  )
  .subscribe((line) => {
    last = line;
    console.log(line);
  });

/** A team of two, of which each says these lines in turn. */
async function run(lines: readonly string[]): Promise<void> {
  const usage = { promptTokens: 400, completionTokens: 20 };
  const replies = lines.map((content) => ({ content, usage }));
  const members = ['writer', 'critic'].map(
    (name) => new AssistantAgent(name, { modelClient: new SlowModel(replies, { model: 'house' }) }),
  );
  const team = new RoundRobinGroupChat(members, { maxTurns: 10 });
  const prices = new PriceList({ house: { inputUsdPerMillion: 50, outputUsdPerMillion: 200 } });
  const guard = guardTeam(team, breaker, { prices });
  const { stopReason } = await team.run({ task: 'Describe the tides.' });
  console.log(`  ${stopReason}`);
  guard.uninstall();
}

const healthy = Array.from({ length: 5 }, (_, i) => `Fact ${i}: ${'abcde'[i]} is new here.`);
const loop = Array.from({ length: 10 }, () => 'Please go over the wording once more.');
await run(loop);
clock.advance(2 * MINUTE_MS); // the circuit cools down, and money is forgotten
await run(healthy);
await run(loop);

console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
