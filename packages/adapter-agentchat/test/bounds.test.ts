import {
  AssistantAgent,
  type GroupChatOptions,
  RoundRobinGroupChat,
  type Team,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { type DetectionOptions, NO_DETECTORS, type RateOptions } from '@teamfuse/core/detectors';
import { FakeClock } from '@teamfuse/testing';
import { expect, it } from 'vitest';
import { guardTeam } from '../src/index.ts';
import { replay, Speaker } from './support/agents.ts';
import { coding, THINK_MS, type TimedTeam } from './support/loops.ts';
import { seeEach } from './support/rules.ts';
import { fact } from './support/teams.ts';

/** Runs that fail with so many rows each time. */
function importing(counts: readonly number[]): TimedTeam {
  return coding(
    counts.map((_, at) => `Try this:\n\`\`\`python\nload(step=${at * at + 4})\n\`\`\``),
    (_, run) => ({ exitCode: 1, output: `RowError: ${counts[run]} rows lack a price` }),
  );
}

/** Two who say a fact in turn, each after so long. */
function tellingFacts(thinkMs: number): TimedTeam {
  return (clock, options) => {
    const members = ['a', 'b'].map(
      (name, who) =>
        new Speaker(name, (turn) => {
          clock.advance(thinkMs);
          return fact(2 * turn + who);
        }),
    );
    return new RoundRobinGroupChat(members, { maxTurns: 12, ...options });
  };
}

/** Two assistants whose prompts grow from call to call, as their provider reports them. */
function prompting(lineOf: (call: number) => string): TimedTeam {
  return (_, options) => {
    const member = (name: string, who: number) => {
      const replies = Array.from({ length: 7 }, (__, at) => ({
        content: lineOf(2 * at + who),
        usage: { promptTokens: 900 * (at + 1) ** 2, completionTokens: 40 },
      }));
      return new AssistantAgent(name, { modelClient: replay(...replies) });
    };
    const members = [member('a', 0), member('b', 1)];
    return new RoundRobinGroupChat(members, { maxTurns: 14, ...options });
  };
}

const rate: RateOptions = { rates: [{ signal: 'message', max: 3, perMs: 2 * THINK_MS }] };
const HISTORY_DRIFT: DetectionOptions = { ...NO_DETECTORS, historyDrift: {} };

seeEach([
  {
    rule: 'STO1',
    what: 'the very same error, whatever its numbers',
    only: { ...NO_DETECTORS, executionStorm: {} },
    shown: { kind: 'execution-storm', evidence: { count: 5, limit: 5 } },
    loop: importing([9, 12, 17, 31, 46, 52]),
    twin: importing([52, 46, 31, 17, 12, 9]),
  },
  {
    rule: 'RAT2',
    what: 'messages beyond a declared rate',
    only: { ...NO_DETECTORS, rate },
    declared: { rate },
    shown: { kind: 'rate', evidence: { count: 4, limit: 3, subject: 'message' } },
    loop: tellingFacts(THINK_MS / 4),
    twin: tellingFacts(THINK_MS),
  },
  {
    rule: 'DRI2',
    what: 'prompts that grow while nothing new is said',
    only: HISTORY_DRIFT,
    shown: { kind: 'history-drift', reason: expect.stringContaining('the latest prompts') },
    loop: prompting((call) => (call % 2 ? 'As was said, Monday.' : 'Monday, as was said.')),
    twin: prompting((call) => fact(call + 1)),
  },
]);

/** A team within a team within a team, so many times. */
function nested(depth: number): (options: GroupChatOptions) => Team {
  return (options) => {
    const inner =
      depth === 0
        ? new Speaker('digger', (turn) => `Layer ${turn} holds ${turn * 37 + 5} shards.`)
        : nested(depth - 1)({ maxTurns: 1 });
    return new RoundRobinGroupChat([inner], { name: `team${depth}`, ...options });
  };
}

it('[CDT3] [CHN2] stops teams that are nested too deep', async () => {
  const breaker = new Breaker({ now: new FakeClock().now });
  const team = nested(6)({ maxTurns: 3 });
  guardTeam(team, breaker);
  const { stopReason } = await team.run({ task: 'Dig' });
  expect(breaker.conversation().trip).toMatchObject({
    kind: 'nested-cascade',
    evidence: { count: 6, limit: 5 },
  });
  expect(stopReason).toBe(breaker.conversation().trip?.reason);
});

it('[CDT4] [CHN2] leaves teams alone that are nested as deep as is allowed', async () => {
  const breaker = new Breaker({ now: new FakeClock().now });
  const team = nested(5)({ maxTurns: 3 });
  guardTeam(team, breaker);
  expect((await team.run({ task: 'Dig' })).stopReason).toBe('Maximum number of turns 3 reached.');
  expect(breaker.conversation().trip).toBeUndefined();
});
