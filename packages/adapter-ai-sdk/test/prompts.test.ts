import { Breaker, type Signal } from '@teamfuse/core';
import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { guardAgent, guardModel } from '../src/index.ts';
import { scripted } from './support/models.ts';

type Prompt = { readonly prompt: string } | { readonly messages: ai.ModelMessage[] };
const FRUIT = ['apple', 'pear', 'plum', 'fig', 'quince', 'medlar', 'cherry', 'grape'];
const MAILS = FRUIT.map(
  (fruit, i) => `Is this spam? Dear friend, ${i + 2}0 boxes of ${fruit} await you.`,
);
const user = (content: string): ai.ModelMessage => ({ role: 'user', content });
const assistant = (content: string): ai.ModelMessage => ({ role: 'assistant', content });
/** What the user of a chat asks, one question after the other. */
const CHAT = MAILS.map((_, i) => ({
  messages: MAILS.slice(0, i + 1).flatMap((mail, at) =>
    at < i ? [user(mail), assistant('This is spam.')] : [user(mail)],
  ),
}));

/** A model that says the same to everything, and who was told what. */
function labelling() {
  const breaker = new Breaker();
  const told: Signal[] = [];
  breaker.on('signal', ({ signal }) => told.push(signal));
  const model = new MockLanguageModelV4(scripted(() => ({ text: 'This is spam.' })) as never);
  return { breaker, model, told };
}

/** How many of the calls are made. */
async function made(calls: readonly Prompt[], ask: (prompt: Prompt) => PromiseLike<object>) {
  for (const [at, call] of calls.entries()) {
    try {
      await ask(call);
    } catch {
      return at;
    }
  }
  return calls.length;
}

describe('[AIS28] a program that asks a guarded model', () => {
  const asking = (calls: readonly Prompt[]) => {
    const { breaker, model, told } = labelling();
    const guarded = guardModel(model, breaker, { conversation: 'mails' });
    return { told, ending: made(calls, (call) => ai.generateText({ model: guarded, ...call })) };
  };

  it('about one thing after the other may get the same answer', async () => {
    const { ending, told } = asking(MAILS.map((prompt) => ({ prompt })));
    expect(await ending).toBe(MAILS.length);
    const tasks = told.filter(({ kind }) => kind === 'human-input');
    expect(tasks).toMatchObject(MAILS.map((text) => ({ text, isAutomatic: true })));
  });

  it('in a chat may get the same answer', async () => {
    const { ending, told } = asking(CHAT);
    expect(await ending).toBe(CHAT.length);
    const asked = told.filter((signal) => signal.kind === 'message' && signal.agent === 'user');
    expect(asked).toMatchObject(MAILS.slice(1).map((text) => ({ text, role: 'user' })));
  });

  it.each([
    ['with the same prompt', Array<Prompt>(8).fill({ prompt: 'Is this spam?' })],
    [
      'with a prompt that only counts',
      MAILS.map((_, i) => ({ prompt: `Attempt ${i * 31}: is this spam?` })),
    ],
    [
      'with a prompt that grows by each answer',
      MAILS.map((_, i) => ({ prompt: `Is this spam?${'\nSpam. Is it?'.repeat(i)}` })),
    ],
  ])('%s is stopped at the third same answer', async (_, calls) => {
    const { ending, told } = asking(calls);
    expect(await ending).toBe(3);
    expect(told.filter(({ kind }) => kind === 'human-input')).toHaveLength(1);
  });

  it('and replies in words that differ by a number alone is stopped', async () => {
    const results = MAILS.map((_, i) => `Attempt ${i * 31}: nothing was found.`);
    const { ending } = asking(
      results.map((_, i) => ({
        messages: [
          user('Is this spam?'),
          ...results.slice(0, i).flatMap((found) => [assistant('This is spam.'), user(found)]),
        ],
      })),
    );
    expect(await ending).toBe(4);
  });
});

describe('[AIS29] an agent that is given messages', () => {
  it('is told the last one as its task', async () => {
    const { breaker, model, told } = labelling();
    const agent = new ai.ToolLoopAgent({ id: 'labeller', model });
    guardAgent(agent, breaker, { conversation: 'mails' });
    expect(await made(CHAT, (call) => agent.generate(call as { prompt: string }))).toBe(
      CHAT.length,
    );
    const tasks = told.filter(({ kind }) => kind === 'human-input');
    expect(tasks).toMatchObject(MAILS.map((text) => ({ text, isAutomatic: true })));
  });
});
