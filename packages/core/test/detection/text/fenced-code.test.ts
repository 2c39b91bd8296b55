import { describe, expect, it } from 'vitest';
import { codeIn } from '../../../src/detection/text/fenced-code.ts';

describe('the code in a text', () => {
  it.each([
    ['what is said around it', 'So:\n```py\nf(1)\n```\nWell?', '```py\nf(1)\n```'],
    ['white space', '```py\nf(1)\n\n  g(2)\n```', '```py\n f(1)\ng(2)```'],
    ['quotations without a language', '```py\nf(1)\n```\n```\nf(2)\n```', '```py\nf(1)\n```'],
    ['words next to its end', '```py\nf(1)\n```then', '```py\nf(1)\n```'],
    ['an end that is missing', 'So:\n```py\nf(1)', '```py\nf(1)\n```'],
  ])('[ANL1] is the same but for %s', (_, one, other) => {
    expect(codeIn(one)).toBe(codeIn(other));
    expect(codeIn(one)).not.toBe(0);
  });

  it.each([
    ['code', '```py\nf(1)\n```', '```py\nf(2)\n```'],
    ['language', '```py\nf(1)\n```', '```js\nf(1)\n```'],
    ['block', '```py\nf(1)\n```', '```py\nf(1)\n```\n```py\nf(2)\n```'],
    ['order of blocks', '```py\n1\n```\n```py\n2\n```', '```py\n2\n```\n```py\n1\n```'],
    ['end', '```py\nf(1)\n```\ng(2)', '```py\nf(1)\n\ng(2)'],
  ])('[ANL1] is not the same with another %s', (_, one, other) => {
    expect(codeIn(one)).not.toBe(codeIn(other));
  });

  it.each(['f(1)', '', 'py', '```\nf(1)\n```', '``` \nf(1)'])('[ANL1] is none: %j', (text) => {
    expect(codeIn(text)).toBe(0);
  });
});
