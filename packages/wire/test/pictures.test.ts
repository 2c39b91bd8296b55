import { createHash } from 'node:crypto';
import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

const CALLS = 12;
const BASE = 'https://api.example/v1';

function picture(seed: string): string {
  const bytes = createHash('sha512').update(seed).digest();
  return Buffer.concat([bytes, bytes, bytes]).toString('base64');
}
const urlOf = (seed: string): string => `data:image/png;base64,${picture(seed)}`;

/** How an agent of one API asks for a scroll in step `n`, and is shown a picture. */
interface Form {
  readonly path: string;
  /** The name of the history in a request. */
  readonly field: string;
  readonly answer: object;
  /** What the history begins with. @defaultValue a message of the user */
  readonly opening?: object;
  readonly step: (n: number, seed: string) => readonly object[];
}

const usage = { input_tokens: 9, output_tokens: 9, total_tokens: 18 };
const response = { object: 'response', status: 'completed', output: [], usage };
const gemini = {
  path: '/models/gemini-2.5-flash:generateContent',
  field: 'contents',
  opening: { role: 'user', parts: [{ text: 'Read the page to its end.' }] },
  answer: {
    candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
  },
};
const scrolls = { role: 'model', parts: [{ functionCall: { name: 'scroll', args: { by: 600 } } }] };
const scrolled = { functionResponse: { name: 'scroll', response: { output: 'Scrolled.' } } };
const shown = (seed: string) => ({ inlineData: { mimeType: 'image/png', data: picture(seed) } });

const FORMS: Readonly<Record<string, Form>> = {
  'tool_result of Messages': {
    path: '/messages',
    field: 'messages',
    answer: { type: 'message', role: 'assistant', content: [], stop_reason: 'tool_use', usage },
    step: (n, seed) => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${n}`, name: 'scroll', input: { by: 600 } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `t${n}`,
            content: [
              { type: 'text', text: 'Scrolled.' },
              { type: 'image', source: { type: 'base64', data: picture(seed) } },
            ],
          },
        ],
      },
    ],
  },
  'function_call_output of Responses': {
    path: '/responses',
    field: 'input',
    answer: response,
    step: (n, seed) => [
      { type: 'function_call', call_id: `c${n}`, name: 'scroll', arguments: '{"by":600}' },
      {
        type: 'function_call_output',
        call_id: `c${n}`,
        output: [{ type: 'input_image', image_url: urlOf(seed) }],
      },
    ],
  },
  'computer_call of Responses': {
    path: '/responses',
    field: 'input',
    answer: response,
    step: (n, seed) => [
      { type: 'computer_call', call_id: `c${n}`, action: { type: 'scroll', scroll_y: 600 } },
      {
        type: 'computer_call_output',
        call_id: `c${n}`,
        output: { type: 'computer_screenshot', image_url: urlOf(seed) },
      },
    ],
  },
  'message after a result of Chat Completions': {
    path: '/chat/completions',
    field: 'messages',
    answer: {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 9 },
    },
    step: (n, seed) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `c${n}`, type: 'function', function: { name: 'scroll', arguments: '{"by":600}' } },
        ],
      },
      { role: 'tool', tool_call_id: `c${n}`, content: 'Scrolled.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: urlOf(seed) } }] },
    ],
  },
};

const GEMINI_FORMS: Readonly<Record<string, Form>> = {
  'functionResponse of Gemini': {
    ...gemini,
    step: (_, seed) => {
      const functionResponse = { ...scrolled.functionResponse, parts: [shown(seed)] };
      return [scrolls, { role: 'user', parts: [{ functionResponse }] }];
    },
  },
  'data after a functionResponse of Gemini': {
    ...gemini,
    step: (_, seed) => [scrolls, { role: 'user', parts: [scrolled, shown(seed)] }],
  },
  'file in the entry after a functionResponse of Gemini': {
    ...gemini,
    step: (_, seed) => [
      scrolls,
      { role: 'function', parts: [scrolled] },
      { parts: { file_data: { mime_type: 'image/png', file_uri: `gs://pages/${picture(seed)}` } } },
    ],
  },
};

/** How many calls reach the endpoint, and which tools the breaker was told of. */
async function through(
  { path, field, opening, answer, step }: Form,
  seedOf: (n: number) => string,
) {
  const tools = new Set<string>();
  let at = 0;
  const breaker = new Breaker({ now: () => (at += 3000) });
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') tools.add(signal.tool);
  });
  const guarded = guardFetch(breaker, { fetch: async () => Response.json(answer) });
  const first = opening ?? { role: 'user', content: 'Read the page to its end.' };
  const history: object[] = [first];
  for (let n = 0; n < CALLS; n++) {
    const body = JSON.stringify({ model: 'gpt-5', [field]: history });
    const { status } = await guarded(`${BASE}${path}`, { method: 'POST', body });
    if (status !== 200) return { calls: n, tools: [...tools] };
    history.push(...step(n, seedOf(n)));
  }
  return { calls: CALLS, tools: [...tools] };
}

describe.each(Object.entries({ ...FORMS, ...GEMINI_FORMS }))(
  'an agent that scrolls, with %s',
  (name, form) => {
    const tools = [name.startsWith('computer') ? 'computer' : 'scroll'];

    test('[WIRE29] is stopped when the picture stays the same', async () => {
      expect(await through(form, () => 'same')).toEqual({ calls: 3, tools });
    });

    test('[WIRE29] is left alone when each picture is another', async () => {
      expect(await through(form, (n) => `page ${n}`)).toEqual({ calls: CALLS, tools });
    });
  },
);
