import { describe, expect, it } from 'vitest';
import { readHandOver } from '../../src/analysis/hand-over-reader.ts';
import { Memory } from '../../src/analysis/memory.ts';
import { Breaker } from '../../src/breaker/breaker.ts';
import { transcript } from '../../src/testing/index.ts';

const excuses = [
  'This looks like a matter for you.',
  'That is rather a case for your desk.',
  'You are the right one to look at it.',
  'It belongs to your side, I think.',
  'Please take care of the customer.',
  'I would say that you should decide.',
  'Your team knows more about such things.',
  'Back to you, as it is your field.',
  'There is nothing that I can do here.',
  'The case is yours once more.',
  'Kindly have another look at it.',
  'This should be settled by you.',
];

function handedOver(texts: readonly string[]): Breaker {
  const breaker = new Breaker();
  const [a, b] = ['Sales', 'Support'];
  const turns = texts.map((text, i) =>
    i % 2 === 0 ? `${a}->${b}:"${text}"` : `${b}->${a}:"${text}"`,
  );
  for (const signal of transcript(turns.join(' '))) breaker.observe(signal);
  return breaker;
}

describe('hand-overs', () => {
  it('[ANL9] trip when a case is passed to and fro in ever new words', () => {
    expect(handedOver(excuses).trip?.kind).toBe('speaker-cycle');
  });

  it('[ANL9] are left alone while each passes on what it has found out', () => {
    const found = excuses.map(
      (_, i) =>
        `Order A${i * 37 + 4011} was paid with ${i * 113 + 59} euros on invoice R${i * i + 700}.`,
    );
    expect(handedOver(found).trip).toBeUndefined();
  });
});

describe('readHandOver', () => {
  const memory = new Memory(10);
  const idlenessOf = (text: string): number | undefined => {
    memory.begin();
    const signal = { kind: 'handoff', at: 0, agent: 'a', to: 'b', text } as const;
    return readHandOver(signal, memory, 0.2).idleness;
  };
  const talk =
    'Because customers rarely understand invoices, somebody friendly should explain gently where amounts come from, which taxes apply and whether discounts were granted properly beforehand.';

  it('[ANL9] never takes new words alone for progress, however many they are', () => {
    expect(idlenessOf('Somebody gently explains.')).toBeGreaterThan(0.3);
    expect(idlenessOf(talk)).toBe(0.3);
    expect(idlenessOf(talk)).toBe(1);
  });

  it('[ANL9] takes new names and numbers for progress where they are a good part of the text', () => {
    expect(idlenessOf('Invoice inv-4711 over 1,290 euros.')).toBe(0);
    expect(idlenessOf(`${talk} 5530`)).toBeGreaterThanOrEqual(0.3);
  });
});
