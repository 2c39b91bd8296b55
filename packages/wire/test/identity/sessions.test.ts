import { Breaker, type BudgetOptions } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../../src/index.ts';

const FILES = ['app.ts', 'db.ts', 'api.ts', 'ui.ts', 'auth.ts', 'log.ts'];
const SUMMED_UP_AFTER = FILES.length + 1;
const CALLS = 70;

type Sent = Readonly<Record<string, unknown>>;

/** How a coding agent names its session. */
const NAMED: Readonly<Record<string, { headers?: Record<string, string>; body?: Sent }>> = {
  'x-claude-code-session-id': { headers: { 'x-claude-code-session-id': '5f0c-1' } },
  'session-id': { headers: { 'session-id': '5f0c-1', 'thread-id': '77' } },
  session_id: { headers: { session_id: '5f0c-1' } },
  'x-opencode-session': { headers: { 'x-opencode-session': 'ses_1' } },
  'prompt_cache_key of opencode': { body: { prompt_cache_key: 'ses_1' } },
};

describe.each(Object.entries(NAMED))('a session that %s names', (_, { headers, body }) => {
  test('[WIRE73] is stopped where the same files are read after each summary', async () => {
    expect(await work(headers, body, () => FILES)).toBeLessThan(40);
  });

  test('[WIRE73] goes on where other files are read after each summary', async () => {
    const others = (part: number): readonly string[] => FILES.map((file) => `part ${part}/${file}`);
    expect(await work(headers, body, others)).toBe(CALLS);
  });
});

test('[WIRE73] without a name, what begins with another summary is another conversation', async () => {
  expect(await work({}, {}, () => FILES)).toBe(CALLS);
});

describe('helpers of one session', () => {
  test.each([
    ['are told apart by their ids', (id: number) => ({ 'x-claude-code-agent-id': `a${id}` })],
    ['are told apart while they work side by side', () => ({})],
  ])('[WIRE74] %s, and may read the same files', async (_, headersOf) => {
    const breaker = new Breaker();
    const helpers = [1, 2, 3, 4, 5].map(async (id) => {
      const client = new Client(breaker, { 'x-claude-code-session-id': 's', ...headersOf(id) });
      client.say(`Look into module ${id} of the login, as one of five helpers.`);
      for (const file of FILES) {
        if (!(await client.read(file, `// ${file}`))) return false;
      }
      return client.read(`module ${id}.ts`, `export const module = ${id};`);
    });
    expect(await Promise.all(helpers)).toEqual([true, true, true, true, true]);
  });

  test.each([
    ['with ids', (id: number) => ({ 'x-claude-code-agent-id': `a${id}` })],
    ['without ids', () => ({})],
  ])('[WIRE74] one after another, %s, may read the same files', async (_, headersOf) => {
    const breaker = new Breaker();
    for (let id = 0; id < 5; id++) {
      const client = new Client(breaker, { 'x-claude-code-session-id': 's', ...headersOf(id) });
      client.say(`Look into module ${id} of the login, and report what it does with passwords.`);
      for (const file of FILES.slice(0, 3)) {
        expect(await client.read(file, `// ${file}`)).toBe(true);
      }
      for (const part of [1, 2, 3]) {
        const text = `export const module${id}${part} = ${id * part};`;
        expect(await client.read(`module ${id} ${part}.ts`, text)).toBe(true);
      }
      expect(await client.hear(`Module ${id} keeps ${id * 7} passwords as hashes.`)).toBe(true);
    }
  });

  test('[WIRE74] spend from the purse of one conversation', async () => {
    const breaker = new Breaker({ maxModelCalls: 6 });
    const client = (id: string) =>
      new Client(breaker, { 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': id });
    let passed = 0;
    for (const id of ['a', 'b', 'c', 'd']) {
      const helper = client(id);
      helper.say(`Look into module ${id}.`);
      for (const file of [`${id}1.ts`, `${id}2.ts`]) {
        if (await helper.read(file, `// ${id} ${file}`)) passed++;
      }
    }
    expect(passed).toBe(6);
  });
});

describe('metadata.user_id of Claude Code', () => {
  test.each([
    [
      'as JSON',
      (s: number) => JSON.stringify({ device_id: 'd', account_uuid: 'acc', session_id: `s${s}` }),
    ],
    [
      'without an account',
      (s: number) => JSON.stringify({ device_id: 'd', account_uuid: '', session_id: `s${s}` }),
    ],
    ['as it was before', (s: number) => `user_9f86d081_account__session_5f0c-${s}`],
  ])('[WIRE75] %s names one user for all sessions', async (_, idOf) => {
    const passed = await inSessions({ perUser: { maxTokens: 300 } }, idOf);
    expect(passed).toBe(3);
  });

  test('[WIRE75] with another account is another user', async () => {
    const passed = await inSessions({ perUser: { maxTokens: 300 } }, (s) =>
      JSON.stringify({ device_id: 'd', account_uuid: `acc ${s}`, session_id: 's' }),
    );
    expect(passed).toBe(8);
  });
});

/** Reads files, in sessions whose history is summed up when all were read. Returns how many calls passed. */
async function work(
  headers: Record<string, string> | undefined,
  body: Sent | undefined,
  filesOf: (part: number) => readonly string[],
): Promise<number> {
  const client = new Client(new Breaker(), headers, body);
  client.say('Fix the login.');
  for (let call = 0; call < CALLS; call++) {
    const part = Math.floor(call / SUMMED_UP_AFTER);
    const file = filesOf(part)[call % SUMMED_UP_AFTER];
    if (file === undefined) {
      if (!(await client.hear(`All files of part ${part} were read.`))) return call;
      client.forget(
        `Summary ${part}: the login is to be fixed, ${part + 1} rounds of reading are over.`,
      );
    } else if (!(await client.read(file, `// ${file}: 42 lines`))) return call;
  }
  return CALLS;
}

async function inSessions(budget: BudgetOptions, idOf: (s: number) => string): Promise<number> {
  const breaker = new Breaker({ budget });
  const asked = { model: 'claude-sonnet-4-5', max_tokens: 50 };
  let passed = 0;
  const answer = { content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' };
  const usage = { input_tokens: 60, output_tokens: 40 };
  const fetch = guardFetch(breaker, { fetch: async () => Response.json({ ...answer, usage }) });
  for (let session = 0; session < 8; session++) {
    const messages = [{ role: 'user', content: `Task ${session}.` }];
    const body = JSON.stringify({ ...asked, messages, metadata: { user_id: idOf(session) } });
    const response = await fetch('https://a/v1/messages', { method: 'POST', body });
    if (response.status === 200) passed++;
  }
  return passed;
}

const GUARDS = new WeakMap<Breaker, typeof fetch>();

/** One guard for all agents of a breaker. The endpoint answers as the header `x-answer` says. */
function guardOf(breaker: Breaker): typeof fetch {
  const known = GUARDS.get(breaker);
  if (known !== undefined) return known;
  const endpoint: typeof fetch = async (_, init) =>
    new Response(new Headers(init?.headers).get('x-answer'), {
      headers: { 'content-type': 'application/json' },
    });
  const guard = guardFetch(breaker, { fetch: endpoint });
  GUARDS.set(breaker, guard);
  return guard;
}

/** A coding agent over Chat Completions. */
class Client {
  readonly #breaker: Breaker;
  readonly #headers: Record<string, string>;
  readonly #body: Sent;
  readonly #system: Sent = { role: 'system', content: 'You are a coding agent.' };
  #messages: Sent[] = [];

  constructor(breaker: Breaker, headers: Record<string, string> = {}, body: Sent = {}) {
    this.#breaker = breaker;
    this.#headers = headers;
    this.#body = body;
  }

  say(content: string): void {
    this.#messages.push({ role: 'user', content });
  }

  forget(summary: string): void {
    this.#messages = [{ role: 'user', content: summary }];
  }

  /** The model says a text. */
  async hear(content: string): Promise<boolean> {
    if (!(await this.#ask({ role: 'assistant', content }))) return false;
    this.say('Go on.');
    return true;
  }

  /** The model reads a file. */
  async read(path: string, content: string): Promise<boolean> {
    const id = crypto.randomUUID();
    const made = { name: 'read', arguments: JSON.stringify({ path }) };
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: made }],
    };
    if (!(await this.#ask(call))) return false;
    this.#messages.push({ role: 'tool', tool_call_id: id, content });
    return true;
  }

  async #ask(message: Sent): Promise<boolean> {
    const usage = { prompt_tokens: 60, completion_tokens: 40 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    const fetch = guardOf(this.#breaker);
    const messages = [this.#system, ...this.#messages];
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages, ...this.#body });
    const headers = { ...this.#headers, 'x-answer': JSON.stringify({ choices, usage }) };
    const { status } = await fetch('https://a/v1/chat/completions', {
      method: 'POST',
      headers,
      body,
    });
    if (status === 200) this.#messages.push(message);
    return status === 200;
  }
}
