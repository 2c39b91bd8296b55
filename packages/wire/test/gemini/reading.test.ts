import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../../src/index.ts';
import { ModelEndpoint, type Said } from '../support/model-endpoint.ts';

const MODEL = 'gemini-2.5-flash';
const asks = (text: string) => ({ role: 'user', parts: [{ text }] });
const says = (...parts: readonly object[]) => ({ role: 'model', parts });
const results = (...parts: readonly object[]) => ({ role: 'user', parts });
const call = (name: string, args: object, id?: string) => ({
  functionCall: { ...(id && { id }), name, args },
});
const result = (name: string, response: unknown, id?: string) => ({
  functionResponse: { ...(id && { id }), name, response },
});

/** What a breaker is told of requests with these histories, which a real endpoint answers. */
async function toldOf(
  histories: readonly (readonly object[])[],
  { path = `/v1beta/models/${MODEL}:generateContent`, script = says7, more = {} }: Asking = {},
) {
  await using endpoint = await ModelEndpoint.start(script);
  const breaker = new Breaker();
  const told: Signal[] = [];
  const conversations = new Set<string>();
  breaker.on('signal', ({ signal, conversation }) => {
    told.push(signal);
    conversations.add(conversation);
  });
  const fetch = guardFetch(breaker);
  for (const contents of histories) {
    const isEnveloped = path.includes('v1internal');
    const asked = { contents, ...more };
    const body = JSON.stringify(isEnveloped ? { model: MODEL, request: asked } : asked);
    await (await fetch(endpoint.url + path, { method: 'POST', body })).text();
  }
  const ofKind = (kind: Signal['kind']) => told.filter((signal) => signal.kind === kind);
  return { breaker, told, conversations, endpoint, ofKind };
}

interface Asking {
  readonly path?: string;
  readonly script?: () => Said;
  readonly more?: object;
}

const says7 = (): Said => ({ text: 'It is 7.' });
const SEARCHES = [asks('Look both up.'), says(call('search', { q: 1 }), call('search', { q: 2 }))];

describe('a history of Gemini', () => {
  test.each([
    ['the first by the first, without ids', [undefined, undefined], [undefined, undefined], [1, 2]],
    ['by their ids, in any order', ['a', 'b'], ['b', 'a'], [2, 1]],
    [
      'the first by the first, where clients name calls anew',
      [undefined, undefined],
      ['x', 'y'],
      [1, 2],
    ],
    [
      'the first by the first, where clients leave ids out',
      ['a', 'b'],
      [undefined, undefined],
      [1, 2],
    ],
  ])('[WIRE92] tells results with their calls: %s', async (_, ids, answered, expected) => {
    const calls = says(call('search', { q: 1 }, ids[0]), call('search', { q: 2 }, ids[1]));
    const [one, two] = answered.map((id, at) => result('search', { output: `${at}` }, id));
    const history = [asks('Look both up.'), calls, results(one as object, two as object)];
    const { ofKind } = await toldOf([history]);
    expect(ofKind('tool-call')).toMatchObject([
      { tool: 'search', args: { q: expected[0] }, result: 0 },
      { tool: 'search', args: { q: expected[1] }, result: 1 },
    ]);
  });

  test('[WIRE92] takes the call of the name, and names one that it does not know', async () => {
    const calls = says(call('search', { q: 1 }), call('read', { file: 'a' }));
    const back = results(result('read', { output: 'A' }), result('write', { output: 'W' }));
    const { ofKind } = await toldOf([[asks('Go.'), calls, back]]);
    expect(ofKind('tool-call')).toMatchObject([
      { tool: 'read', args: { file: 'a' }, result: 'A' },
      { tool: 'write', args: null, result: 'W' },
    ]);
    expect(ofKind('tool-call')[0]).not.toHaveProperty('callId');
  });

  test.each([
    [{ output: 'fine' }, { result: 'fine' }],
    [{ output: { rows: [1] } }, { result: { rows: [1] } }],
    [{ result: 'Error: late' }, { result: 'Error: late' }],
    [{ result: [1], output: 'fine' }, { result: { result: [1], output: 'fine' } }],
    [{ rows: [{ id: 1 }] }, { result: { rows: [{ id: 1 }] } }],
    [{ error: 'no such file' }, { error: { message: 'no such file' } }],
    [{ error: null, rows: 2 }, { result: { error: null, rows: 2 } }],
    [{ output: 'fine', error: 'a warning' }, { result: { output: 'fine', error: 'a warning' } }],
  ])(
    '[WIRE92] takes `output` or `result` for what came of a call, and `error` alone for a failure: %j',
    async (response, expected) => {
      const history = [asks('Go.'), says(call('read', {})), results(result('read', response))];
      const { ofKind } = await toldOf([history]);
      expect(ofKind('tool-call')).toMatchObject([expected]);
    },
  );

  test('[WIRE91] holds code that the server ran, and leaves out what the model thinks', async () => {
    const ran = says(
      { text: 'I think.', thought: true },
      { executableCode: { language: 'PYTHON', code: 'print(7)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no print' } },
      { text: 'It is 7.' },
    );
    const { ofKind } = await toldOf([[asks('What is it?'), ran, asks('Thanks.')]]);
    expect(ofKind('tool-call')).toMatchObject([
      { tool: 'code_execution', args: { code: 'print(7)' }, error: { message: 'no print' } },
    ]);
    expect(ofKind('message')).toMatchObject([{ text: 'It is 7.' }, { text: 'Thanks.' }]);
  });

  test('[WIRE91] may spell fields as the definitions do, and hold one object for a list', async () => {
    const contents = { role: 'USER', parts: { text: 'Go.' } };
    const system_instruction = { parts: { text: 'You look things up.' } };
    const more = { contents, system_instruction, generation_config: { max_output_tokens: 9 } };
    const { ofKind, told } = await toldOf([[]], { more });
    expect(ofKind('human-input')).toMatchObject([{ text: 'Go.' }]);
    expect(told.find(({ kind }) => kind === 'model-request')).toMatchObject({
      model: MODEL,
      maxOutputTokens: 9,
    });
  });

  test('[WIRE91] is one conversation, however the entries of a streamed answer stand in it', async () => {
    const task = asks('Write a poem.');
    const poem = 'Roses are red, violets are blue, and so on for some lines.';
    const whole = [task, says({ text: poem }), asks('Another one.')];
    const pieces = poem.match(/.{1,9}/gs) ?? [];
    const cut = [task, ...pieces.map((text) => says({ text })), asks('Another one.')];
    for (const history of [whole, cut]) {
      const path = `/v1/models/${MODEL}:streamGenerateContent`;
      const options = { path, script: () => ({ text: poem }) };
      const { conversations, ofKind } = await toldOf([[task], history], options);
      expect(conversations.size).toBe(1);
      expect(ofKind('message')).toMatchObject([{ text: poem }, { text: 'Another one.' }]);
    }
  });

  test('[WIRE91] is told answers that follow each other apart, and pieces that nobody knows as one', async () => {
    const [task, next] = [asks('Discuss it.'), asks('And now?')];
    const said = ['The first point is the price.', 'Yes.', 'The third one is the date.'];
    let at = 0;
    const script = (): Said => ({ text: said[at++] ?? 'Done.' });
    const history = said.map((text) => says({ text }));
    const grown = said.map((_, count) => [task, ...history.slice(0, count)]);
    const { conversations, ofKind } = await toldOf([...grown, [task, ...history, next]], {
      script,
    });
    expect(conversations.size).toBe(1);
    expect(ofKind('message').map((signal) => Object(signal).text)).toEqual([...said, 'And now?']);
    const unseen = await toldOf([[task, ...history, next]]);
    expect(unseen.ofKind('message')).toMatchObject([{ text: said.join('') }, { text: 'And now?' }]);
  });

  test('[WIRE91] may hold thousands of pieces that are like the first of an answer', async () => {
    const path = `/v1/models/${MODEL}:streamGenerateContent`;
    const options = { path, script: () => ({ text: 'aaaaaaaa'.repeat(90) }) };
    const many = Array.from({ length: 40_000 }, () => says({ text: 'aaaaaaaa' }));
    const from = performance.now();
    const { ofKind } = await toldOf([[asks('Go.')], [asks('On.'), ...many, asks('Go.')]], options);
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(ofKind('model-request')).toHaveLength(2);
  });

  test.each([
    [{ toolConfig: { functionCallingConfig: { mode: { toString: 1 } } } }],
    [{ tools: 7, generationConfig: [], systemInstruction: 'You look.' }],
    [{ contents: { parts: [{ functionCall: 1 }, { functionResponse: [] }, null, 'x', {}] } }],
    [{ contents: { role: {}, parts: { text: {}, inlineData: { data: 1 }, fileData: 'x' } } }],
  ])('[WIRE91] of any shape is guarded: %j', async (more) => {
    const { ofKind } = await toldOf([[asks('Go.')]], { more });
    expect(ofKind('model-request')).toHaveLength(1);
  });

  test('[WIRE92] of calls without ids is no sign of its conversation elsewhere', async () => {
    const script = () => ({ calls: [{ id: '', tool: 'search', args: { q: 1 } }] });
    const other = [
      asks('And here?'),
      says(call('search', { q: 1 })),
      results(result('search', {})),
    ];
    const { conversations } = await toldOf([SEARCHES.slice(0, 1), other], { script });
    expect(conversations.size).toBe(2);
  });
});

describe('a lot of Gemini', () => {
  test('[WIRE25] takes time for each call and result once', async () => {
    const times: number[] = [];
    for (const count of [2_000, 20_000]) {
      const each = Array.from({ length: count }, (_, at) => at);
      const calls = says(...each.map((at) => call('read', { at }, at % 2 ? `c${at}` : undefined)));
      const back = results(...each.map((at) => result('read', { output: `${at}` }, `c${at}`)));
      const body = JSON.stringify({ contents: [asks('Go.'), calls, back] });
      const breaker = new Breaker({ reaction: 'observe' });
      const guarded = guardFetch(breaker, { fetch: async () => Response.json({}) });
      const from = performance.now();
      await guarded(`https://g.example/v1/models/${MODEL}:generateContent`, {
        method: 'POST',
        body,
      });
      times.push(performance.now() - from);
      expect(breaker.counters.toolCalls).toBe(count);
    }
    const [few = 0, many = 0] = times;
    expect(many).toBeLessThan(40 * few);
  });

  test('[WIRE52] is a list that is read in pieces of any size, in time that grows with its bytes', async () => {
    const entry = (text: string, finishReason?: string) => {
      const content = { role: 'model', parts: [{ text }] };
      return { candidates: [{ content, index: 0, finishReason }], modelVersion: MODEL };
    };
    const long = `Häß "[{\\" 😀 ${'a line of a poem '.repeat(60_000)}`;
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 4 };
    const entries = [entry('{"]\\'), entry(long), { ...entry('.', 'STOP'), usageMetadata }];
    const text = JSON.stringify(entries, null, 1);
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 65_536, bytes.length]) {
      const breaker = new Breaker({ repetition: { cutsStreams: false } });
      let at = 0;
      const body = new ReadableStream({
        pull(controller) {
          const piece = bytes.slice(at, at + (size === 1 && at > 2_000 ? 65_536 : size));
          at += piece.length;
          if (piece.length > 0) controller.enqueue(piece);
          else controller.close();
        },
      });
      const headers = { 'content-type': 'application/json; charset=UTF-8' };
      const guarded = guardFetch(breaker, { fetch: async () => new Response(body, { headers }) });
      const response = await guarded(`https://g.example/v1/models/${MODEL}:streamGenerateContent`, {
        method: 'POST',
        body: JSON.stringify({ contents: [asks('Write.')] }),
      });
      const from = performance.now();
      expect(await response.text()).toBe(text);
      expect(performance.now() - from).toBeLessThan(5_000);
      expect(breaker.cost).toMatchObject({ tokens: 7, isEstimate: false });
    }
  });
});

describe('what Gemini takes', () => {
  test.each([
    `/v1beta/models/${MODEL}:generateContent`,
    `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
    `/v1beta/models/${MODEL}:streamGenerateContent`,
    '/v1internal:generateContent',
    '/v1internal:streamGenerateContent?alt=sse',
  ])('[WIRE91] is booked to the token, thoughts and caches included: %s', async (path) => {
    const { breaker, endpoint, ofKind } = await toldOf([[asks('What is it?')]], { path });
    expect(breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
    expect(ofKind('usage')).toMatchObject([
      { inputTokens: endpoint.served.input, cachedInputTokens: 1, reasoningTokens: 1 },
    ]);
    expect(breaker.cost).toMatchObject({ isEstimate: false, unpricedTokens: 0 });
  });

  test.each([
    ['?alt=sse', 4],
    ['', 4],
  ])(
    '[WIRE91] is what came where a stream dies, thoughts included: %s',
    async (query, diesAfter) => {
      const text = 'One line of a poem, and a second line of it.';
      await using endpoint = await ModelEndpoint.start(() => ({ text, diesAfter }));
      const breaker = new Breaker();
      const fetch = guardFetch(breaker);
      const usages: Signal[] = [];
      breaker.on('signal', ({ signal }) => signal.kind === 'usage' && usages.push(signal));
      const url = `${endpoint.url}/v1beta/models/${MODEL}:streamGenerateContent${query}`;
      const response = await fetch(url, {
        method: 'POST',
        body: JSON.stringify({ contents: [asks('Write.')] }),
      });
      await expect(response.text()).rejects.toThrow();
      expect(usages).toMatchObject([
        { isPartial: true, inputTokens: endpoint.served.input, outputTokens: 11 },
      ]);
    },
  );

  test('[WIRE91] is the prompt alone where it is blocked', async () => {
    const breaker = new Breaker();
    const blocked = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
      modelVersion: MODEL,
    };
    const fetch = guardFetch(breaker, { fetch: async () => Response.json(blocked) });
    const body = JSON.stringify({ contents: [asks('Write.')] });
    await fetch(`https://g.example/v1beta/models/${MODEL}:generateContent`, {
      method: 'POST',
      body,
    });
    expect(breaker.cost).toMatchObject({ tokens: 7, isEstimate: false });
  });
});
