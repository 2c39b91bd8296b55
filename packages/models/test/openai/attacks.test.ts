import { describe, expect, test } from 'vitest';
import { ModelClientError, OpenAIChatCompletionClient } from '../../src/index.ts';

interface Endpoint {
  readonly name: string;
  readonly code: string;
  readonly contains: readonly string[];
  readonly stream?: boolean;
  serve(...args: unknown[]): void;
}

interface Outcome {
  readonly error: ModelClientError;
  readonly printed: string;
  readonly ms: number;
}

type CallModel = (
  Client: typeof OpenAIChatCompletionClient,
  endpoint: Endpoint,
  options?: { timeoutMs?: number; signal?: AbortSignal },
) => Promise<Outcome>;

const ATTACKS = '../../attacks/';
const { endpoints, KEY } = (await import(
  new URL(`${ATTACKS}endpoints.js`, import.meta.url).href
)) as {
  endpoints: readonly Endpoint[];
  KEY: string;
};
const { callModel } = (await import(new URL(`${ATTACKS}trial.js`, import.meta.url).href)) as {
  callModel: CallModel;
};
/** Far more than any needs, and far less than the servers would take. */
const BOUND_MS = 3_000;
const TICK_MS = 10;
const waiting = endpoints.filter(({ code }) => code === 'TIMEOUT');

/** What each server gave when it was asked, once for all rules. */
const outcomes = new Map<Endpoint, Promise<Outcome>>();

function outcomeOf(endpoint: Endpoint): Promise<Outcome> {
  const outcome =
    outcomes.get(endpoint) ?? inOwnTime(callModel(OpenAIChatCompletionClient, endpoint));
  outcomes.set(endpoint, outcome);
  return outcome;
}

/** The time in which this process got to run: what else a busy machine does meanwhile is not counted. */
async function inOwnTime(call: Promise<Outcome>): Promise<Outcome> {
  let ms = 0;
  const ticking = setInterval(() => {
    ms += TICK_MS;
  }, TICK_MS);
  return { ...(await call.finally(() => clearInterval(ticking))), ms };
}

describe('servers that misbehave', () => {
  test('[MER7] are forty', () => expect(new Set(endpoints.map(({ name }) => name)).size).toBe(40));

  test.each(endpoints)('[MER3] [MER7] [MER8] $name: $code in time', async (endpoint) => {
    const { error, ms } = await outcomeOf(endpoint);
    expect(error).toBeInstanceOf(ModelClientError);
    expect(error.code).toBe(endpoint.code);
    for (const words of endpoint.contains) expect(messages(error)).toContain(words);
    expect(ms).toBeLessThan(BOUND_MS);
  });

  test.each(endpoints)(
    '[MER9] $name: an error that is short, clean and without the key',
    async (endpoint) => {
      const { error, printed } = await outcomeOf(endpoint);
      expect(printed).not.toContain(KEY);
      expect(printed).not.toMatch(/\\x1B|\\u001b/i);
      expect(messages(error)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(error.message.length).toBeLessThan(600);
    },
  );

  test.each([...waiting, slowDown()])(
    '[MER5] $name: ends when it is cancelled',
    async (endpoint) => {
      const controller = new AbortController();
      const serve = (...args: unknown[]) => {
        endpoint.serve(...args);
        setTimeout(() => controller.abort(), 30);
      };
      const options = { timeoutMs: 60_000, signal: controller.signal };
      const call = callModel(OpenAIChatCompletionClient, { ...endpoint, serve }, options);
      const outcome = await inOwnTime(call);
      expect(outcome.error.code).toBe('CANCELLED');
      expect(outcome.ms).toBeLessThan(BOUND_MS);
    },
  );
});

/** Waits that fit into the time of the call are waited for. */
function slowDown(): Endpoint {
  const serve = (_: unknown, response: { writeHead: (...args: unknown[]) => { end(): void } }) =>
    response.writeHead(429, { 'retry-after': '30' }).end();
  return {
    name: 'asks for half a minute',
    code: 'RATE_LIMITED',
    contains: [],
    serve: serve as Endpoint['serve'],
  };
}

/** The message of an error and of all its causes. */
function messages(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messages(error.cause)}` : '';
}
