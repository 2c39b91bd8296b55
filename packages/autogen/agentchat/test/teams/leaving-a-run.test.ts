import {
  CancelledError,
  type ChatItem,
  isTaskResult,
  MaxMessageTermination,
  RoundRobinGroupChat,
  RuntimeError,
  TerminatedException,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { thought } from '../said.ts';
import { RecordingCondition } from './recording-condition.ts';
import { ScriptedAgent, transcript } from './scripted-agent.ts';
import { answer, StreamAgent, throwing } from './stream-agent.ts';

/** Everything a run streams until it ends or throws. */
async function streamed(
  run: AsyncGenerator<unknown>,
): Promise<{ items: string[]; error: unknown }> {
  const items: string[] = [];
  try {
    for await (const item of run) {
      if (!isTaskResult(item)) items.push(...transcript([item as ChatItem]));
    }
    return { items, error: undefined };
  } catch (error) {
    return { items, error };
  }
}

describe('an aborted signal', () => {
  it('[TEAM13] before the run: the task is delivered and judged, no turn begins, nothing is streamed', async () => {
    const condition = new RecordingCondition();
    const agent = new ScriptedAgent('a', '1');
    const team = new RoundRobinGroupChat([agent], { terminationCondition: condition, maxTurns: 1 });
    const { items, error } = await streamed(
      team.runStream({ task: 'go', signal: AbortSignal.abort() }),
    );
    expect(error).toBeInstanceOf(CancelledError);
    expect(items).toEqual([]);
    expect(condition).toMatchObject({ calls: [['user: go']], resets: 0 });
    await team.run({ task: 'again' });
    expect(agent.received).toEqual([['go', 'again']]);
  });

  it('[TEAM13] in a turn that still ends: the answer is delivered and judged, not streamed', async () => {
    const cancellation = new AbortController();
    const condition = new RecordingCondition();
    const b = new ScriptedAgent('b', 'x');
    const a = new StreamAgent('a', async function* () {
      cancellation.abort();
      yield answer('late', 'a');
    });
    const team = new RoundRobinGroupChat([a, b], { terminationCondition: condition, maxTurns: 2 });
    const { signal } = cancellation;
    const { items, error } = await streamed(team.runStream({ task: 'go', signal }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(items).toEqual(['user: go']);
    expect(condition.calls.at(-1)).toEqual(['a: late']);
    await team.run();
    expect(b.received).toEqual([['go', 'late']]);
  });

  it('[TEAM13] in a turn that goes on: the agent is closed at its next item', async () => {
    const cancellation = new AbortController();
    let isClosed = false;
    const a = new StreamAgent('a', async function* () {
      try {
        yield thought('before', 'a');
        cancellation.abort();
        yield thought('after', 'a');
        yield answer('never', 'a');
      } finally {
        isClosed = true;
      }
    });
    const team = new RoundRobinGroupChat([a]);
    const { signal } = cancellation;
    const { items, error } = await streamed(team.runStream({ task: 'go', signal }));
    expect(error).toBeInstanceOf(CancelledError);
    expect(items).toEqual(['user: go', 'a: before']);
    expect(isClosed).toBe(true);
  });

  it('[TEAM13] turns what the agent throws for it into a cancellation, with the cause', async () => {
    const cancellation = new AbortController();
    const cause = new DOMException('aborted', 'AbortError');
    const a = new StreamAgent(
      'a',
      throwing(cause, () => cancellation.abort()),
    );
    const run = new RoundRobinGroupChat([a]).run({ task: 'go', signal: cancellation.signal });
    await expect(run).rejects.toThrow(expect.objectContaining({ name: 'CancelledError', cause }));
  });

  it('[TEAM17] works in a team whose agents never wait', async () => {
    const cancellation = new AbortController();
    setImmediate(() => cancellation.abort());
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', 'on and on')]);
    const run = team.run({ task: 'go', signal: cancellation.signal });
    await expect(run).rejects.toThrow(CancelledError);
  });

  it('[TEAM13] leaves nothing behind on a signal that outlives the run', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const count = (change: number) => () => {
      listeners += change;
    };
    signal.addEventListener = count(1) as typeof signal.addEventListener;
    signal.removeEventListener = count(-1) as typeof signal.removeEventListener;
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1')], { maxTurns: 2 });
    await team.run({ task: 'go', signal });
    expect(listeners).toBe(0);
  });
});

describe('a run after one that failed', () => {
  it('[DEV1] continues, and delivers the messages of the failed turn again', async () => {
    let isFailing = true;
    const received: number[] = [];
    const b = new StreamAgent('b', async function* (messages) {
      received.push(messages.length);
      if (isFailing) throw new Error('once');
      yield answer('x', 'b');
    });
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1', '2', '3'), b], {
      terminationCondition: new MaxMessageTermination(4),
    });
    await expect(team.run({ task: 'go' })).rejects.toThrow('once');
    isFailing = false;
    const { messages, stopReason } = await team.run();
    expect(transcript(messages)).toEqual(['a: 2', 'b: x']);
    expect(received).toEqual([2, 3]);
    // Two messages of the failed run, two of this one: the condition was not reset.
    expect(stopReason).toBe('Maximum number of messages 4 reached, current message count: 4');
  });

  it('[DEV1] can be a new one after a reset', async () => {
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', new Error('x'), '1')], {
      maxTurns: 1,
    });
    await expect(team.run({ task: 'go' })).rejects.toThrow('Error: x');
    const agent = team.participants[0] as ScriptedAgent;
    agent.onReset = async () => {};
    await team.reset();
    expect(transcript((await team.run({ task: 'new' })).messages)).toEqual(['user: new', 'a: 1']);
    expect(agent.received.at(-1)).toEqual(['new']);
  });
});

describe('an exception outside the ordinary', () => {
  it('[DEV2] ends the run when a condition throws it in a turn', async () => {
    const condition = new RecordingCondition();
    condition.call = (messages) => {
      if (messages.some(({ source }) => source === 'a')) throw new TerminatedException();
      return null;
    };
    const team = new RoundRobinGroupChat([new ScriptedAgent('a', '1')], {
      terminationCondition: condition,
    });
    await expect(team.run({ task: 'go' })).rejects.toThrow(
      new RuntimeError('TerminatedException: Termination condition has already been reached'),
    );
  });

  it('[DEV2] ends the run when an agent throws what is no error', async () => {
    const a = new StreamAgent('a', throwing('just text'));
    await expect(new RoundRobinGroupChat([a]).run({ task: 'go' })).rejects.toThrow(
      new RuntimeError('Error: just text'),
    );
  });
});

describe('a reader who leaves the stream', () => {
  it('[DEV4] ends the run: no turn begins after that, and the next run continues', async () => {
    const condition = new RecordingCondition();
    const [a, b] = [new ScriptedAgent('a', '1', '2'), new ScriptedAgent('b', 'x')];
    const team = new RoundRobinGroupChat([a, b], { terminationCondition: condition, maxTurns: 4 });
    for await (const item of team.runStream({ task: 'go' })) {
      if ('source' in item && item.source === 'a') break;
    }
    expect([a.received.length, b.received.length]).toEqual([1, 0]);
    expect(condition.calls.at(-1)).toEqual(['a: 1']);
    expect(condition.resets).toBe(0);
    expect(transcript((await team.run()).messages)).toEqual(['b: x', 'a: 2', 'b: x']);
    expect(b.received[0]).toEqual(['go', '1']);
  });

  it('[DEV4] in the middle of a turn closes the agent and aborts its signal', async () => {
    let seen: AbortSignal | undefined;
    let isClosed = false;
    const a = new StreamAgent('a', async function* (_messages, signal) {
      seen = signal;
      try {
        yield thought('hm', 'a');
        yield answer('never', 'a');
      } finally {
        isClosed = true;
      }
    });
    const team = new RoundRobinGroupChat([a]);
    for await (const item of team.runStream({ task: 'go' })) {
      if ('source' in item && item.source === 'a') break;
    }
    expect(isClosed).toBe(true);
    expect(seen?.aborted).toBe(true);
  });

  it('[DEV22] or only waits has the team wait as well', async () => {
    const a = new ScriptedAgent('a', '1');
    const stream = new RoundRobinGroupChat([a], { maxTurns: 3 }).runStream({ task: 'go' });
    await stream.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(a.received).toEqual([]);
    await stream.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(a.received).toHaveLength(1);
    await stream.return();
  });

  it('[TEAM13] a run that ended in good order has not aborted anything', async () => {
    let seen: AbortSignal | undefined;
    const a = new StreamAgent('a', async function* (_messages, signal) {
      seen = signal;
      yield answer('done', 'a');
    });
    await new RoundRobinGroupChat([a], { maxTurns: 1 }).run({ task: 'go' });
    expect(seen?.aborted).toBe(false);
  });
});
