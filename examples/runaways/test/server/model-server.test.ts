import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { questionMessages } from '@teamfuse/judge';
import { type CreateResult, type LLMMessage, OpenAIChatCompletionClient } from '@teamfuse/models';
import { loadTokenCounter } from '@teamfuse/tokens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startModelServer } from '../../server/model-server.js';
import { personas } from '../../server/personas/index.js';
import { priceBook } from '../../server/prices.js';

let server: Awaited<ReturnType<typeof startModelServer>>;

beforeAll(async () => {
  server = await startModelServer();
});

afterAll(async () => {
  await server.close();
});

function client(model: string): OpenAIChatCompletionClient {
  return new OpenAIChatCompletionClient({ model, baseURL: server.baseURL, apiKey: 'none' });
}

/** The conversation as `model` sees it: what it said itself, and what others said. */
function seenBy(model: string, history: readonly { by: string; text: string }[]): LLMMessage[] {
  return history.map(({ by, text }) =>
    by === model
      ? { type: 'AssistantMessage', content: text, source: by }
      : { type: 'UserMessage', content: text, source: by },
  );
}

async function ask(
  model: string,
  history: readonly { by: string; text: string }[],
): Promise<string> {
  const { content } = await client(model).create(seenBy(model, history));
  return content as string;
}

/** Lets the models speak in turn until one says TERMINATE, or for `turns` turns. */
async function talk(models: readonly string[], turns: number): Promise<string[]> {
  const history = [{ by: 'user', text: 'Please begin.' }];
  for (let turn = 0; turn < turns; turn += 1) {
    const by = models[turn % models.length] ?? '';
    const text = await ask(by, history);
    history.push({ by, text });
    if (text.includes('TERMINATE')) break;
  }
  return history.slice(1).map(({ text }) => text);
}

describe('drafting', () => {
  test('[DEMO1] the looping pair says the same in new words, turn after turn', async () => {
    const texts = await talk(['writer-looping', 'researcher-looping'], 40);
    expect(new Set(texts).size).toBe(40);
    const drafts = texts.filter((_, index) => index % 2 === 0);
    for (const draft of drafts)
      expect(draft).toMatch(/clean.*(expensive|costly)|expensive.*clean|Clean/);
    expect(texts.join()).not.toMatch(/TERMINATE|\d/);
  });

  test('[DEMO2] the healthy pair adds a fact with each draft and ends', async () => {
    const texts = await talk(['writer-healthy', 'researcher-healthy'], 40);
    const drafts = texts.filter((_, index) => index % 2 === 0);
    expect(drafts.map((draft) => draft.length)).toEqual(
      drafts.map((draft) => draft.length).toSorted((a, b) => a - b),
    );
    expect(drafts).toHaveLength(4);
    expect(texts.at(-1)).toMatch(/TERMINATE$/);
  });
});

describe('coding', () => {
  async function work(model: string, rounds: number) {
    await using executor = new LocalCommandLineCodeExecutor();
    const history = [{ by: 'user', text: 'What is the mean temperature?' }];
    const results: { exitCode: number; output: string }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const text = await ask(model, history);
      history.push({ by: model, text });
      const code = /```javascript\n([\s\S]*?)```/.exec(text)?.[1];
      if (code === undefined) break;
      const result = await executor.executeCodeBlocks([{ language: 'javascript', code }]);
      results.push(result);
      history.push({ by: 'executor', text: `exitcode: ${result.exitCode}\n${result.output}` });
    }
    return { results, last: history.at(-1)?.text };
  }

  test('[DEMO3] the failing coder fails with one error whatever it changes', async () => {
    const { results, last } = await work('coder-failing', 6);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const { output } of results)
      expect(output).toContain("Cannot find module 'csv-parse/sync'");
    expect(last).not.toContain('TERMINATE');
  });

  test('[DEMO4] its healthy twin fails twice in the same way, then succeeds and ends', async () => {
    const { results, last } = await work('coder-healthy', 10);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 1, 0]);
    expect(results[1]?.output).toContain("Cannot find module 'csv-parse/sync'");
    expect(results[2]?.output).toBe('mean temperature: 12\n');
    expect(last).toMatch(/TERMINATE$/);
  });
});

describe('planning', () => {
  async function reviews(planner: string, rounds: number): Promise<string[]> {
    const history = [{ by: 'user', text: 'Plan the move.' }];
    for (let round = 0; round < rounds; round += 1) {
      const plan = await ask(planner, history);
      history.push({ by: planner, text: plan });
      if (plan.includes('TERMINATE')) break;
      // The review is a chat of its own: it knows the plan and nothing else.
      history.push({ by: 'reviewer', text: await ask('reviewer', [{ by: planner, text: plan }]) });
    }
    return history.filter(({ by }) => by === 'reviewer').map(({ text }) => text.slice(0, 14));
  }

  test('[DEMO5] the cascading planner gets the same review for ever', async () => {
    expect(new Set(await reviews('planner-cascading', 12))).toEqual(new Set(['Open points: 3']));
  });

  test('[DEMO6] its healthy twin closes point by point and ends', async () => {
    expect(await reviews('planner-healthy', 12)).toEqual([
      'Open points: 3',
      'Open points: 2',
      'Open points: 1',
      'Open points: 0',
    ]);
  });
});

describe('quoting', () => {
  const lengths = async (kind: string, turns: number) =>
    (await talk([`accountant-${kind}`, `auditor-${kind}`], turns)).map((text) => text.length);

  test('[DEMO7] the quoting pair writes more with every turn', async () => {
    const quoting = await lengths('quoting', 20);
    for (const [index, length] of quoting.slice(1).entries()) {
      expect(length).toBeGreaterThan(quoting[index] ?? 0);
    }
    expect((quoting[19] ?? 0) / (quoting[0] ?? 1)).toBeGreaterThan(15);
  });

  test('[DEMO8] its healthy twin says the same lines alone and ends', async () => {
    const texts = await talk(['accountant-healthy', 'auditor-healthy'], 20);
    const quoting = await talk(['accountant-quoting', 'auditor-quoting'], 12);
    expect(texts.slice(0, 12)).toEqual(quoting.map((text) => text.split('\n')[0]));
    expect(texts).toHaveLength(13);
    expect(texts.at(-1)).toMatch(/TERMINATE$/);
  });
});

describe('server', () => {
  const messages: LLMMessage[] = [{ type: 'UserMessage', content: 'Begin.', source: 'user' }];

  test('[DEMO9] counts the tokens of request and answer', async () => {
    const counter = await loadTokenCounter('gpt-4o');
    const before = server.calls.length;
    const { content, usage } = await client('writer-looping').create(messages);
    expect(usage).toEqual({
      promptTokens: counter.countMessages([{ content: 'Begin.', name: 'user' }]),
      completionTokens: counter.count(content as string),
    });
    expect(server.calls.slice(before)).toEqual([
      { model: 'writer-looping', isQuestion: false, ...usage },
    ]);
  });

  test('[DEMO9] streams the same answer with its usage', async () => {
    const whole = await client('coder-failing').create(messages);
    const items: (string | CreateResult)[] = [];
    for await (const item of client('coder-failing').createStream(messages)) items.push(item);
    expect(items.pop()).toEqual(whole);
    expect(items.join('')).toBe(whole.content);
    expect(items.length).toBeGreaterThan(3);
  });

  test.each(['writer', 'constructor'])('[DEMO10] has no persona called %j', async (model) => {
    await expect(client(model).create(messages)).rejects.toMatchObject({ status: 404 });
  });

  test('[DEMO11] has a price for every persona and for nobody else', () => {
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    for (const model of personas.keys()) {
      expect(priceBook.price(model, usage)).toEqual({ nanoUsd: 3_500_000 });
    }
    expect(priceBook.price('writer', usage)).toBeUndefined();
  });
});

describe('judging', () => {
  const asked = async (models: readonly string[]): Promise<number> => {
    const texts = await talk(models, 24);
    const signals = texts.map((text, i) => {
      const agent = models[i % models.length] ?? '';
      return { kind: 'message', at: i, agent, text } as const;
    });
    const question = { task: 'Please begin.', signals, kind: 'speaker-cycle' } as const;
    const [instructions, record] = questionMessages(question);
    const { content } = await client('reviewer').create([
      { type: 'SystemMessage', content: instructions?.content ?? '' },
      { type: 'UserMessage', content: record?.content ?? '', source: 'user' },
    ]);
    const answer = content as string;
    return (JSON.parse(answer) as { probability: number }).probability;
  };

  test('[DEMO12] finds the looping pair, and leaves its healthy twin alone', async () => {
    expect(await asked(['writer-looping', 'researcher-looping'])).toBeGreaterThan(0.5);
    expect(await asked(['writer-healthy', 'researcher-healthy'])).toBeLessThan(0.5);
  });
});
