import type { BreakerOptions, Signal } from '@teamfuse/core';
import type { ConversableAgent } from '@teamfuse/groupchat';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, guardAgents } from '../../src/index.ts';
import { group, silence, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { gate } from '../support/gate.ts';
import { ofKind, record } from '../support/signals.ts';

/** As long as a run leaves to work under way after a trip. */
const GRACE_MS = 1_000;

const FOREVER = new Promise<never>(() => {});

/** Agents of which one never comes back from what it does, by kind, and a promise of it having begun. */
const HANGING = {
  model: (begun: () => void) => {
    const { agent, client } = thinker('B', []);
    client.create = () => {
      begun();
      return FOREVER;
    };
    return { agent, message: 'hello' };
  },
  tool: (begun: () => void) => {
    const hang = () => {
      begun();
      return FOREVER;
    };
    const agent = speaker('B', '', { functionMap: { hang } });
    const message = { content: 'Go!', tool_calls: [{ id: '1', function: { name: 'hang' } }] };
    return { agent, message };
  },
  code: (begun: () => void) => {
    const executeCodeBlocks = () => {
      begun();
      return FOREVER;
    };
    const agent = speaker('B', '', { codeExecutionConfig: { executor: { executeCodeBlocks } } });
    return { agent, message: '```sh\nsleep 9999\n```' };
  },
};

const KINDS = ['model', 'tool', 'code'] as const;

function hanging(
  kind: (typeof KINDS)[number],
  options: BreakerOptions = {},
  guardOptions: GuardOptions = {},
) {
  const { opened, open } = gate();
  const { agent, message } = HANGING[kind](open);
  const a: ConversableAgent = speaker('A');
  const breaker = bareBreaker(options);
  const signals = record(breaker);
  guardAgents([a, agent], breaker, guardOptions);
  const chat = a.initiateChat(agent, { message, maxTurns: 3 });
  return { breaker, signals, chat, hasBegun: opened };
}

describe.each(KINDS)('a %s that never comes back', (kind) => {
  test('[GCW1] is waited for no longer after a stop by hand', async () => {
    const { breaker, chat, hasBegun } = hanging(kind);
    await hasBegun;
    breaker.stop('enough');
    const { stopReason, chatHistory } = await chat;
    expect(stopReason).toBe('enough');
    expect(chatHistory).toHaveLength(1);
  });

  test('[GCW1] is waited for no longer than the run time', async () => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const { chat, hasBegun } = hanging(kind, { maxRunMs: 40, now, timers });
    await hasBegun;
    clock.advance(40 + GRACE_MS);
    expect((await chat).stopReason).toContain('(maxRunMs)');
  });

  test('[GCW2] ends in an error where trips are thrown', async () => {
    const { breaker, chat, hasBegun } = hanging(kind, {}, { onTrip: 'throw' });
    await hasBegun;
    breaker.stop('enough');
    await expect(chat).rejects.toMatchObject({ code: 'TRIPPED', message: /enough/ });
  });

  test('[GCW3] is no failure', async () => {
    const { breaker, signals, chat, hasBegun } = hanging(kind);
    await hasBegun;
    breaker.stop('enough');
    await chat;
    const failures = signals.filter((signal: Signal) => 'error' in signal);
    expect(failures).toEqual([]);
    expect(ofKind(signals, 'execution')).toEqual([]);
  });
});

describe('work that heeds its signal', () => {
  test('[GCW1] is told to end', async () => {
    const { opened, open } = gate();
    const aborted = gate();
    const { agent: b, client } = thinker('B', []);
    client.create = (_, { signal } = {}) => {
      signal?.addEventListener('abort', aborted.open);
      open();
      return FOREVER;
    };
    const a = speaker('A');
    const breaker = bareBreaker();
    guardAgents([a, b], breaker);
    const chat = a.initiateChat(b, { message: 'hello' });
    await opened;
    breaker.stop();
    await Promise.all([chat, aborted.opened]);
  });

  test('[GCW3] and comes back late has failed at nothing', async () => {
    const late = gate();
    const { opened, open } = gate();
    const runner = speaker('B', '', {
      codeExecutionConfig: {
        executor: {
          executeCodeBlocks: async () => {
            open();
            await late.opened;
            return { exitCode: 1, output: 'killed' };
          },
        },
      },
    });
    const a = speaker('A');
    const breaker = bareBreaker();
    const signals = record(breaker);
    guardAgents([a, runner], breaker);
    const chat = a.initiateChat(runner, { message: '```sh\nls\n```' });
    await opened;
    breaker.stop();
    await chat;
    late.open();
    await new Promise(setImmediate);
    expect(ofKind(signals, 'execution')).toEqual([]);
  });

  test('[GCW3] and was cancelled by others is no failure, either', async () => {
    const executor = {
      executeCodeBlocks: async () => ({ exitCode: 125, output: '\nCancelled' }),
    };
    const runner = speaker('B', '', { codeExecutionConfig: { executor } });
    const breaker = bareBreaker();
    const signals = record(breaker);
    guardAgents([runner], breaker);
    await speaker('A').initiateChat(runner, { message: '```sh\nls\n```', maxTurns: 1 });
    expect(ofKind(signals, 'execution')).toEqual([]);
  });
});

describe('a group', () => {
  test('[GCW1] does not wait for a model that chooses its speakers', async () => {
    const { opened, open } = gate();
    const { agent: chooser, client } = thinker('chooser', []);
    client.create = () => {
      open();
      return FOREVER;
    };
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
    });
    const breaker = bareBreaker();
    guardAgents([...members, chooser, manager], breaker);
    const chat = members[0]?.initiateChat(manager, { message: 'hello' });
    await opened;
    breaker.stop('enough');
    expect((await chat)?.stopReason).toBe('enough');
  });
});

describe('a person', () => {
  test('[GCW4] may take longer than the run time', async () => {
    const clock = new FakeClock();
    const input = async () => {
      clock.advance(80 + GRACE_MS);
      return 'Here I am.';
    };
    const person = speaker('B', '', { humanInputMode: 'ALWAYS', io: { ...silence, input } });
    const a = speaker('A');
    const breaker = bareBreaker({ maxRunMs: 40, now: clock.now, timers: clock.timers });
    guardAgents([a, person], breaker);
    const { stopKind } = await a.initiateChat(person, { message: 'hello', maxTurns: 2 });
    expect([stopKind, breaker.conversation().trip]).toEqual(['max_turns', undefined]);
  });
});
