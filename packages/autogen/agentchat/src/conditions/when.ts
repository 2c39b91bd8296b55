import { ValueError } from '../base/errors.ts';
import { checkTermination, type Termination } from '../base/termination.ts';
import { and, or } from './operators.ts';

/** A piece of a `when` template. */
type Token =
  | { readonly kind: 'condition'; readonly text: string; readonly condition: Termination }
  | { readonly kind: '|' | '&' | '(' | ')' | 'end'; readonly text: string };

/**
 * Combines conditions as AutoGen's operators do: `|`, `&` (binds tighter) and parentheses.
 *
 * @example
 * ```ts
 * when`${new MaxMessageTermination(40)} | ${new TextMentionTermination('APPROVE')} & ${new SourceMatchTermination(['critic'])}`;
 * ```
 * @throws {@link ValueError} with the expected token and its place, for a template that is not an expression.
 */
export function when(
  strings: TemplateStringsArray,
  ...conditions: readonly Termination[]
): Termination {
  if (!Array.isArray(strings)) {
    throw new ValueError(
      'when: write a template, when`…`, or use the functions or(a, b) and and(a, b).',
    );
  }
  const tokens = tokenize(strings, conditions);
  let at = 0;
  const kind = (): Token['kind'] => tokens[at]?.kind ?? 'end';

  const expected = (what: string): ValueError => {
    const found = tokens[at]?.text ?? '';
    const before = tokens.slice(0, at).map(({ text }) => text);
    const place = before.length === 0 ? 'at the start' : `after '${before.join(' ')}'`;
    return new ValueError(`when: expected ${what} ${place}, got ${found}`);
  };

  const operand = (): Termination => {
    const token = tokens[at];
    if (token?.kind === 'condition') {
      at++;
      return token.condition;
    }
    if (token?.kind !== '(') throw expected("a condition or '('");
    at++;
    const inside = anyOf();
    if (kind() !== ')') throw expected("'|', '&' or ')'");
    at++;
    return inside;
  };

  const allOf = (): Termination => {
    let left = operand();
    for (; kind() === '&'; left = and(left, operand())) at++;
    return left;
  };

  const anyOf = (): Termination => {
    let left = allOf();
    for (; kind() === '|'; left = or(left, allOf())) at++;
    return left;
  };

  const combined = anyOf();
  if (kind() !== 'end') throw expected("'|', '&' or the end");
  return combined;
}

function tokenize(
  strings: TemplateStringsArray,
  conditions: readonly Termination[],
): readonly Token[] {
  const tokens = strings.flatMap((between, index): Token[] => {
    const marks = [...between.replaceAll(/\s/g, '')].map(mark);
    if (index >= conditions.length) return marks;
    const text = `condition ${index + 1}`;
    const condition = checkTermination(`when: ${text}`, conditions[index] as Termination);
    return [...marks, { kind: 'condition', text, condition }];
  });
  return [...tokens, { kind: 'end', text: 'the end' }];
}

function mark(char: string): Token {
  if (char === '|' || char === '&' || char === '(' || char === ')')
    return { kind: char, text: char };
  throw new ValueError(
    `when: only |, & and parentheses may stand between conditions, got '${char}'`,
  );
}
