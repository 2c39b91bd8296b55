import type { Breaker } from '@teamfuse/core';
import type { FunctionCall, LLMMessage } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, guardAgents } from '../src/index.ts';
import { speaker, thinker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from './support/plain-agent.ts';
import { SaidDetector } from './support/said-detector.ts';
import { record, said } from './support/signals.ts';

const NUDGE =
  'Notice: somebody said loop. Progress is anything that has not been said or tried. Otherwise say what you have found so far, or that the task cannot be finished.';

const LOOP = { kind: 'message', at: 0, agent: 'somebody', text: 'loop' } as const;

/** A breaker that warns of the word loop, and has heard it. */
function warned(agents: Parameters<typeof guardAgents>[0], options: GuardOptions = {}): Breaker {
  const breaker = bareBreaker({ reaction: 'warn', detectors: [() => new SaidDetector('loop')] });
  guardAgents(agents, breaker, options);
  breaker.observe(LOOP);
  return breaker;
}

/** A prompt as `who: what`. */
function shown(messages: readonly LLMMessage[] = []): string[] {
  return messages.map(({ type, content, ...rest }) => {
    const who = 'source' in rest ? rest.source : type;
    if (typeof content === 'string') return `${who}: ${content}`;
    const calls = content as readonly FunctionCall[];
    return `${who}: ${calls.map((call) => ('name' in call ? call.name : '?')).join(' ')}`;
  });
}

describe('a warning', () => {
  test('[GCN1] stands in the next prompt, once, before the message to be answered', async () => {
    const { agent: a, client } = thinker('A', ['one', 'two']);
    const b = speaker('B', ['go on']);
    const breaker = warned([a, b]);
    await b.initiateChat(a, { message: 'hello', maxTurns: 2 });
    expect(client.calls.map(({ messages }) => shown(messages).slice(1))).toEqual([
      [`teamfuse: ${NUDGE}`, 'B: hello'],
      ['B: hello', 'A: one', 'B: go on'],
    ]);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCN2] is in no history, and the run goes on', async () => {
    const { agent: a } = thinker('A', ['one']);
    const b = speaker('B');
    warned([a, b]);
    const { chatHistory, stopKind } = await b.initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(chatHistory.map(({ content }) => content)).toEqual(['hello', 'one']);
    expect(a.chatMessages.get(b)?.map(({ content }) => content)).toEqual(['hello', 'one']);
    expect(stopKind).toBe('max_turns');
  });

  test('[GCN3] waits for an agent with a model', async () => {
    const { agent: a, client } = thinker('A', ['one']);
    const [b, c] = [speaker('B'), speaker('C')];
    warned([a, b, c]);
    await b.initiateChat(c, { message: 'hello', maxTurns: 3 });
    await b.initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(shown(client.calls[0]?.messages)).toContain(`teamfuse: ${NUDGE}`);
  });

  test('[GCN3] is kept when the agent ends the chat without asking its model', async () => {
    const { agent: a, client } = thinker('A', ['one']);
    const b = speaker('B');
    warned([a, b]);
    await b.initiateChat(a, { message: 'TERMINATE' });
    expect(client.calls).toHaveLength(0);
    await b.initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(shown(client.calls[0]?.messages)).toContain(`teamfuse: ${NUDGE}`);
  });

  test('[GCN4] does not come between a tool call and its result', async () => {
    const call = { id: '1', name: 'act', arguments: '{}' };
    const { agent: asker, client } = thinker('asker', [{ content: [call] }, 'TERMINATE']);
    const breaker = bareBreaker({ reaction: 'warn', detectors: [() => new SaidDetector('loop')] });
    const act = () => void breaker.observe(LOOP);
    const runner = speaker('runner', '', { functionMap: { act } });
    guardAgents([asker, runner], breaker);
    await runner.initiateChat(asker, { message: 'Act!' });
    expect(shown(client.calls[1]?.messages).slice(1)).toEqual([
      'runner: Act!',
      `teamfuse: ${NUDGE}`,
      'assistant: act',
      'FunctionExecutionResultMessage: act',
    ]);
  });

  test('[GCN4] does not hide code from an agent that also runs some', async () => {
    const blocks: string[] = [];
    const executor = {
      executeCodeBlocks: async (code: readonly { code: string }[]) => {
        blocks.push(...code.map((block) => block.code.trim()));
        return { exitCode: 0, output: 'done' };
      },
    };
    const { agent: a } = thinker('A', ['one'], {
      codeExecutionConfig: { executor, lastNMessages: 2 },
    });
    const b = speaker('B');
    warned([a, b]);
    await b.send('```sh\nls\n```', a, { requestReply: false });
    await b.send('Run it, please.', a, { requestReply: true });
    expect(blocks).toEqual(['ls']);
  });

  test('[GCN3] is not shown to agents that have no model', async () => {
    const seen: unknown[] = [];
    const b = speaker('B', 'fine');
    b.registerReply([() => true, null], (_recipient, messages) => {
      seen.push(...(messages ?? []).map(({ content }) => content));
      return [false, null];
    });
    warned([b]);
    await speaker('A').initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(seen).toEqual(['hello']);
  });

  test('[GCN6] reaches an agent without taps by its hooks, once, and is not taken for something said', async () => {
    const [a, b] = [new HookedAgent('A', ['one', 'two']), new PlainAgent('B', ['uno', 'dos'])];
    const seen: string[][] = [];
    a.registerReply([() => true], (_recipient, messages) => {
      seen.push(messages.map(({ content }) => content));
      return [false, null];
    });
    const breaker = warned([a, b]);
    const signals = record(breaker);
    await a.send('hello', b);
    expect(seen).toEqual([
      ['hello', NUDGE, 'uno'],
      ['hello', 'uno', 'one', 'dos'],
    ]);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: one', 'B: dos', 'A: two']);
  });

  test.each([
    [['user', 'assistant', 'function'], 1],
    [['user', 'assistant', 'tool', 'tool'], 1],
    [['tool', 'tool'], 0],
    [[], -1],
  ])('[GCN4] stands in front of the results of calls: %j', (roles, at) => {
    const a = new HookedAgent('A');
    warned([a]);
    const messages = roles.map((role) => ({ role, name: 'B', content: 'so' }));
    const [hook] = a.hooks.processAllMessagesBeforeReply;
    const prompt = hook?.(messages) ?? [];
    expect(prompt.findIndex(({ name }) => name === 'teamfuse')).toBe(at);
    expect(prompt).toHaveLength(roles.length + (at < 0 ? 0 : 1));
  });

  test('[GCN1] is one user message with those that wait beside it', () => {
    const a = new HookedAgent('A');
    const other = { kind: 'custom:again' as const };
    const detectors = [
      () => new SaidDetector('loop'),
      () => Object.assign(new SaidDetector('again'), other),
    ];
    const breaker = bareBreaker({ reaction: 'warn', detectors });
    guardAgents([a], breaker, { nudge: ({ reason }) => reason });
    breaker.observe({ ...LOOP, text: 'loop again' });
    const [hook] = a.hooks.processAllMessagesBeforeReply;
    const content = 'somebody said loop\nsomebody said again';
    expect(hook?.([{ role: 'user', name: 'B', content: 'so' }])[0]).toEqual({
      role: 'user',
      name: 'teamfuse',
      content,
    });
  });

  test('[GCN5] that does not go into a prompt is reported, and the prompt left alone', () => {
    const problems: unknown[] = [];
    const a = new HookedAgent('A');
    warned([a], { onError: (problem) => problems.push(problem) });
    const odd = { length: 1, 0: { role: 'user', content: 'so' } } as never;
    const [hook] = a.hooks.processAllMessagesBeforeReply;
    expect(hook?.(odd)).toBe(odd);
    expect(problems).toMatchObject([{ during: 'warn' }]);
  });

  test('[GCN5] says what the user wants it to say', async () => {
    const { agent: a, client } = thinker('A', ['one']);
    warned([a], { nudge: ({ kind }) => `Careful: ${kind}` });
    await speaker('B').initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(shown(client.calls[0]?.messages)).toContain('teamfuse: Careful: custom:said');
  });

  test('[GCN5] that cannot be worded is reported and harms nobody', async () => {
    const problems: unknown[] = [];
    const { agent: a, client } = thinker('A', ['one']);
    const nudge = (): never => {
      throw new Error('no words');
    };
    warned([a], { nudge, onError: (problem) => problems.push(problem) });
    await speaker('B').initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(client.calls).toHaveLength(1);
    expect(problems).toEqual([{ during: 'warn', error: new Error('no words') }]);
  });
});
