import { describe, expect, it } from 'vitest';
import { named } from '../src/common/excerpt.ts';
import {
  counted,
  duration,
  inDigits,
  inWords,
  listed,
  ordinal,
  times,
} from '../src/common/words.ts';

describe('words of reasons', () => {
  it('[WHY4] write small counts as words, and others in digits', () => {
    expect([1, 2, 3, 10, 11, 1024].map(times)).toEqual([
      'once',
      'twice',
      'three times',
      'ten times',
      '11 times',
      '1,024 times',
    ]);
    expect([1, 3, 10, 11, 21, 22, 23, 112].map(ordinal)).toEqual([
      'first',
      'third',
      'tenth',
      '11th',
      '21st',
      '22nd',
      '23rd',
      '112th',
    ]);
    expect([0, 9, 10_000].map(inWords)).toEqual(['no', 'nine', '10,000']);
  });

  it('[WHY4] round, group and use the singular', () => {
    expect([3.0253549695740367, 1_234_567, 0.5].map(inDigits)).toEqual([
      '3.03',
      '1,234,567',
      '0.5',
    ]);
    expect([0, 1, 2].map((count) => counted(count, 'token'))).toEqual([
      '0 tokens',
      '1 token',
      '2 tokens',
    ]);
    expect([250, 1000, 90_000, 120_000, 1_800_000, 9_000_000].map(duration)).toEqual([
      '250 ms',
      '1 s',
      '90 s',
      '2 min',
      '30 min',
      '2.5 h',
    ]);
  });

  it('[WHY4] list names, and quote those that could be read as text', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(['critic', 'Müller', 'team:user-1', "the user's boss", 'a\nb'].map(named)).toEqual([
      'critic',
      'Müller',
      'team:user-1',
      "'the user’s boss'",
      "'a b'",
    ]);
  });
});
