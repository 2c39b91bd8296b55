import type { BreakerOptions } from '@teamfuse/core';
import { NO_DETECTORS } from '@teamfuse/core/detectors';
import { describe, expect, test } from 'vitest';
import { speaker } from '../support/agents.ts';
import {
  type Call,
  expectHealthy,
  expectLoop,
  type Play,
  play,
  THINK_MS,
  withTools,
} from '../support/plays.ts';

describe('the very same error', () => {
  const imported = (counts: readonly number[]): Play =>
    withTools(
      counts.map((_, at): Call => ['load', `{"step": ${at * at + 4}}`]),
      () => {
        let made = 0;
        return {
          load: () => {
            throw new Error(`RowError: ${counts[made++]} rows lack a price`);
          },
        };
      },
      THINK_MS,
    );
  const counts = [9, 12, 17, 31, 46, 52];

  test('[GCD1] [STO1] trips at the fifth time in a row, whatever its numbers', async () => {
    const trip = await expectLoop(imported(counts), 'executionStorm');
    expect(trip?.evidence).toMatchObject({ count: 5, limit: 5, subject: 'RowError' });
  });

  test('[GCD1] [STO3] does not when there are fewer failures each time', async () => {
    await expectHealthy(imported(counts.toReversed()));
  });
});

describe('a declared rate', () => {
  const rate = { rates: [{ signal: 'tool-call', max: 3, perMs: 2 * THINK_MS }] } as const;
  const sounded = (thinkMs: number): Play =>
    withTools(
      Array.from({ length: 6 }, (_, at): Call => ['sound', `{"buoy": ${at * at + 2}}`]),
      () => ({ sound: ({ buoy }) => `${Number(buoy) * 37 + 11} cm at Buoy${buoy}` }),
      thinkMs,
    );

  test('[GCD1] [RAT2] trips when it is exceeded', async () => {
    const { trip, stopReason } = await sounded(THINK_MS / 4)({ ...NO_DETECTORS, rate });
    expect(trip?.evidence).toMatchObject({ count: 4, limit: 3, subject: 'tool-call' });
    expect(stopReason).toBe(trip?.reason);
  });

  test('[GCD1] [RAT2] does not when it is kept', async () => {
    await expectHealthy(() => sounded(THINK_MS)({ rate }));
  });
});

describe('chats within chats', () => {
  /** Diggers of whom each asks the next one in a chat of its own. */
  const dug = (depth: number): Play => {
    return (options) => {
      const user = speaker('user', []);
      const diggers = Array.from({ length: depth + 1 }, (_, at) =>
        speaker(`digger${at}`, `Layer ${at} holds ${at * 37 + 5} shards.`),
      );
      for (const [at, digger] of diggers.entries()) {
        const recipient = diggers[at + 1];
        const asker = diggers[at - 1] ?? user;
        if (recipient) {
          const message = `What does layer ${at + 1} hold?`;
          digger.registerNestedChats([{ recipient, message, maxTurns: 1 }], [asker]);
        }
      }
      const first = diggers[0] ?? user;
      return play([user, ...diggers], [user, first], 'Dig!', options);
    };
  };

  test('[GCD1] [NST2] trip when they are nested too deep', async () => {
    const trip = await expectLoop(dug(6), 'nestedCascade');
    expect(trip?.evidence).toMatchObject({ count: 6, limit: 5 });
  });

  test('[GCD1] [NST2] do not when they are as deep as is allowed', async () => {
    await expectHealthy(dug(5));
  });

  test('[GCD1] [NST2] trip when there are more than are allowed', async () => {
    const nestedCascade = { maxTotal: 4 };
    const run = (options?: BreakerOptions) => dug(5)({ ...options, nestedCascade });
    const { trip } = await run(NO_DETECTORS);
    expect(trip?.evidence).toMatchObject({ count: 5, limit: 4 });
  });
});
