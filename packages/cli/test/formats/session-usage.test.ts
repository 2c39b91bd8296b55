import { costInUsd } from '@teamfuse/core/kit';
import { GenaiPriceBook } from '@teamfuse/prices';
import { describe, expect, it } from 'vitest';
import { type Spend, SpendCounter } from '../../src/replay/spend.ts';
import { read } from '../support/read.ts';

/** What the lines of a session say that was spent. */
async function spentIn(lines: readonly object[]): Promise<Spend> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { conversations } = await read('session.jsonl', text);
  const prices = new GenaiPriceBook();
  const counter = new SpendCounter();
  for (const signal of [...conversations.values()].flat()) {
    const isUsage = signal.kind === 'usage';
    counter.add(isUsage ? { ...signal, costUsd: costInUsd(prices, signal.model, signal) } : signal);
  }
  return counter.spend;
}

const TAKEN = {
  input_tokens: 1_000,
  cache_creation_input_tokens: 10_000,
  cache_read_input_tokens: 100_000,
  output_tokens: 100,
};
const SAID = { type: 'text', text: 'Let me look.' };

/** One block of an answer, as a coding agent writes it. */
function line(id: string, block: object = SAID, usage: object = TAKEN): object {
  const message = { id, role: 'assistant', model: 'claude-sonnet-4-5', content: [block], usage };
  return { type: 'assistant', sessionId: 's', message };
}

describe('what sessions of coding agents took', () => {
  it('[READ20] counts once what an answer took that has a line for each block, its caches included', async () => {
    const thought = { type: 'thinking', thinking: 'hm' };
    const asked = { type: 'tool_use', id: 't', name: 'bash', input: {} };
    const lines = ['m1', 'm2'].flatMap((id) => [thought, SAID, asked].map((one) => line(id, one)));
    // Of each: 1,000 at 3, 10,000 at 3.75, 100,000 at 0.30 and 100 at 15 dollars a million.
    expect(await spentIn(lines)).toMatchObject({ tokens: 222_200, usd: 0.144, isEstimate: false });
  });

  it('[READ20] counts what later lines of an answer add', async () => {
    const lines = [line('m1', SAID, { ...TAKEN, output_tokens: 1 }), line('m1'), line('m1')];
    expect(await spentIn(lines)).toMatchObject({ tokens: 111_100, usd: 0.072 });
  });

  it('[READ20] counts what stays in a cache for an hour at its price', async () => {
    const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 10_000 };
    const lines = [line('m1', SAID, { ...TAKEN, cache_creation })];
    expect(await spentIn(lines)).toMatchObject({ usd: 0.0945 });
  });

  it('[READ21] counts once what sessions of items tell beside them, by the model of the turn', async () => {
    const last_token_usage = {
      input_tokens: 10_000,
      cached_input_tokens: 8_000,
      output_tokens: 500,
      reasoning_output_tokens: 300,
      total_tokens: 10_500,
    };
    const count = (calls: number): object => {
      const total_token_usage = { total_tokens: calls * 10_500 };
      const info = { last_token_usage, total_token_usage };
      return { type: 'event_msg', payload: { type: 'token_count', info } };
    };
    const message = { type: 'message', role: 'user', content: [{ text: 'Go on.' }] };
    const lines = [
      { type: 'session_meta', payload: { id: 's' } },
      { type: 'turn_context', payload: { model: 'gpt-5' } },
      { type: 'response_item', payload: message },
      ...[count(1), count(1), count(2)],
    ];
    // Of each: 2,000 at 1.25, 8,000 at 0.125 and 500 at 10 dollars a million.
    expect(await spentIn(lines)).toMatchObject({ tokens: 21_000, usd: 0.017 });
  });
});
