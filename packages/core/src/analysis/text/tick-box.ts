const OPEN = 1;
const TICKED = 2;
const BRACKET = 0x5b;
const SPACE = 0x20;
/** Boxes, ticks and crosses stand from here on. */
const FIRST_SIGN = 0x2610;
const SIGN = /[\u2610-\u2612\u2705\u2713-\u2718\u274c\u2b1b\u2b1c]/;
/** A box of a task list in Markdown, with the space behind it. */
const BOX_LENGTH = 4;

/** The state of the tick box that stands at `i`, or 0 if there is none. Each sign is a state of its own. @internal */
export function tickBoxAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code >= FIRST_SIGN) return SIGN.test(text[i] as string) ? code : 0;
  if (code !== BRACKET || (i > 0 && text.charCodeAt(i - 1) > SPACE)) return 0;
  const box = text.slice(i, i + BOX_LENGTH);
  if (box === '[x] ') return TICKED;
  return box === '[ ] ' ? OPEN : 0;
}
