import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Breaker } from '../../../packages/core/src/index.ts';
import { notifyTrips } from '../../../packages/notify/src/index.ts';
import { instrumentBreaker } from '../../../packages/otel/src/index.ts';
import { FailingSdk, failingProviders } from '../../../packages/otel/test/support/failing-sdk.ts';
import { recordTo } from '../../../packages/recorder/src/index.ts';
import { breakerOf, type Scenes } from '../scene.ts';

const SOON_MS = 10;
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9/';
const ONCE = { url: NOBODY, attempts: 1, timeoutMs: SOON_MS };

/** Lets a team run into its limit, twice. */
function trip(breaker: Breaker): void {
  for (const id of ['a chat', 'another']) {
    const chat = breaker.conversation(id);
    chat.beginRun();
    for (const text of ['Good morning.', 'And good night.'])
      chat.observe({ kind: 'message', agent: 'ann', text });
    chat.admit({ kind: 'turn', agent: 'ann' });
  }
}

/** What fails that is told of what happens. */
export const TELLING: Scenes = {
  'a webhook': {
    told: 'trip',
    play: async (fault, tell) => {
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      const notifier = notifyTrips(breaker, { ...ONCE, fetch: fault.fail, maxPending: 1 });
      const other = notifyTrips(breaker, ONCE);
      trip(breaker);
      await Promise.all([notifier.flush(), other.flush()]);
    },
  },
  'a webhook whose onError fails': {
    told: 'trip',
    play: async (fault, tell) => {
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      const notifier = notifyTrips(breaker, { ...ONCE, onError: fault.fail });
      trip(breaker);
      await notifier.flush();
    },
  },
  'a webhook that nobody waits for': {
    told: 'trip',
    play: async (fault, tell) => {
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      // Its timers keep no process alive.
      notifyTrips(breaker, { ...ONCE, attempts: 2, fetch: fault.fail }).stop();
      const notifier = notifyTrips(breaker, { ...ONCE, fetch: fault.fail });
      trip(breaker);
      notifier.stop();
      await notifier.flush();
    },
  },
  'an SDK of OpenTelemetry that cannot export': {
    told: 'the SDK',
    play: async (fault, tell) => {
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      const { tracerProvider, meterProvider } = new FailingSdk(fault.fail, () => tell('the SDK'));
      const stop = instrumentBreaker(breaker, { tracerProvider, meterProvider });
      trip(breaker);
      const collected = meterProvider.forceFlush().catch(() => {});
      await fault.comeLate();
      await collected;
      stop();
    },
  },
  'instruments of OpenTelemetry': {
    told: 'trip',
    isOwnWay: true,
    play: (_, tell) => {
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      const stop = instrumentBreaker(breaker, failingProviders());
      trip(breaker);
      stop();
    },
  },
  'a recording that cannot be written': {
    told: 'recording',
    play: async (fault, tell) => {
      const folder = mkdtempSync(join(tmpdir(), 'teamfuse-unharmed-'));
      const breaker = breakerOf({ maxMessages: 1 }, tell);
      // A folder in its place, a line that is too long, and texts that cannot be redacted.
      const recorders = [
        recordTo(breaker, folder),
        recordTo(breaker, join(folder, 'short.jsonl'), { maxBytes: 1_024 }),
        recordTo(breaker, join(folder, 'redacted.jsonl'), {
          redact: fault.fail as object as (text: string) => string,
        }),
      ];
      breaker.observe({ kind: 'message', agent: 'ann', text: 'long '.repeat(500) });
      trip(breaker);
      for (const recorder of recorders) await recorder.close();
      rmSync(folder, { recursive: true });
    },
  },
};
