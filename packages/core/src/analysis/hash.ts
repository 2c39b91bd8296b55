const FIRST_SEED = 0x811c9dc5;
const SECOND_SEED = 0x1b873593;
const FIRST_PRIME = 0x01000193;
const SECOND_PRIME = 0x85ebca6b;
const HIGH_BITS = 0x1fffff;

/** A 53-bit hash of `text`: equal texts give equal numbers, and others practically never. Not for secrets. @internal */
export function hashText(text: string): number {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    first = Math.imul(first ^ code, FIRST_PRIME);
    second = Math.imul(second ^ code, SECOND_PRIME);
  }
  return join(first ^ (second >>> 15), second ^ (first >>> 13));
}

function join(low: number, high: number): number {
  return (high & HIGH_BITS) * 0x1_0000_0000 + (low >>> 0);
}
