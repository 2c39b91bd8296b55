import {
  AndTerminationCondition,
  OrTerminationCondition,
  type Termination,
  TextMentionTermination,
  ValueError,
  when,
} from '@teamfuse/agentchat';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => new TextMentionTermination(text)) as [
  TextMentionTermination,
  TextMentionTermination,
  TextMentionTermination,
  TextMentionTermination,
];

/** An expression as nested lists: `['|', x, y]`. */
type Shape = Termination | readonly ['|' | '&', Shape, Shape];

function shapeOf(condition: Termination): Shape {
  const isOr = condition instanceof OrTerminationCondition;
  if (!isOr && !(condition instanceof AndTerminationCondition)) return condition;
  const [left, right] = condition.conditions;
  return [isOr ? '|' : '&', shapeOf(left as Termination), shapeOf(right as Termination)];
}

/** Calls `when` with a template that was put together at run time. */
function parse(pieces: readonly string[], ...conditions: readonly Termination[]): Termination {
  return when(Object.assign([...pieces], { raw: pieces }), ...conditions);
}

describe('when', () => {
  it('[WHEN1] gives a single condition back', () => {
    expect(when`${a}`).toBe(a);
    expect(when`  ( ( ${a} ) )  `).toBe(a);
  });

  it('[WHEN1] groups operators of one kind from the left', () => {
    expect(shapeOf(when`${a} | ${b} | ${c}`)).toEqual(['|', ['|', a, b], c]);
    expect(shapeOf(when`${a} & ${b} & ${c}`)).toEqual(['&', ['&', a, b], c]);
  });

  it('[WHEN1] binds & tighter than |', () => {
    expect(shapeOf(when`${a} | ${b} & ${c} | ${d}`)).toEqual(['|', ['|', a, ['&', b, c]], d]);
  });

  it('[WHEN1] lets parentheses go first, over as many lines as it takes', () => {
    const condition = when`
      (${a} | ${b})
      & (${c} | ${d})
    `;
    expect(shapeOf(condition)).toEqual(['&', ['|', a, b], ['|', c, d]]);
  });

  it('[WHEN1] reads every expression as it was written', () => {
    const expression: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
      shape: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(a, b, c),
        fc.tuple(fc.constantFrom('|' as const, '&' as const), tie('shape'), tie('shape')),
      ),
    })).shape;
    fc.assert(
      fc.property(expression, (shape) => {
        const pieces = [''];
        const holes: Termination[] = [];
        const write = (part: Shape): void => {
          if (!Array.isArray(part)) {
            holes.push(part as Termination);
            pieces.push('');
            return;
          }
          const [operator, left, right] = part;
          pieces[pieces.length - 1] += '(';
          write(left);
          pieces[pieces.length - 1] += ` ${operator} `;
          write(right);
          pieces[pieces.length - 1] += ')';
        };
        write(shape);
        expect(shapeOf(parse(pieces, ...holes))).toEqual(shape);
      }),
    );
  });

  it.each<[string, () => Termination, string]>([
    ['nothing', () => when``, "when: expected a condition or '(' at the start, got the end"],
    [
      'an operator at the end',
      () => when`${a} |`,
      "when: expected a condition or '(' after 'condition 1 |', got the end",
    ],
    [
      'an operator at the start',
      () => when`& ${a}`,
      "when: expected a condition or '(' at the start, got &",
    ],
    [
      'two operators in a row',
      () => when`${a} || ${b}`,
      "when: expected a condition or '(' after 'condition 1 |', got |",
    ],
    [
      'two conditions in a row',
      () => when`${a} ${b}`,
      "when: expected '|', '&' or the end after 'condition 1', got condition 2",
    ],
    [
      'a parenthesis that stays open',
      () => when`(${a} | ${b}`,
      "when: expected '|', '&' or ')' after '( condition 1 | condition 2', got the end",
    ],
    [
      'a parenthesis that was not opened',
      () => when`${a})`,
      "when: expected '|', '&' or the end after 'condition 1', got )",
    ],
    [
      'an empty pair of parentheses',
      () => when`${a} & ()`,
      "when: expected a condition or '(' after 'condition 1 & (', got )",
    ],
    [
      'a word',
      () => when`${a} or ${b}`,
      "when: only |, & and parentheses may stand between conditions, got 'o'",
    ],
  ])('[WHEN2] refuses %s', (_what, make, message) => {
    expect(make).toThrow(new ValueError(message));
  });

  it('[WHEN2] says how it is written where it is called as a function', () => {
    const call = when as unknown as (one: Termination) => Termination;
    expect(() => call(a)).toThrow(/^when: write a template/);
  });

  it('[WHEN2] refuses a value that is no condition, by its place', () => {
    const none = undefined as unknown as Termination;
    expect(() => when`${a} | ${none}`).toThrow(
      /^when: condition 2 must be a termination condition/,
    );
  });
});
