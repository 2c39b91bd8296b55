import { BytePairCounter, type EncodingName } from './byte-pair-counter.ts';
import { checkText } from './errors.ts';
import { EstimatingCounter } from './estimating-counter.ts';
import type { TokenCounter } from './token-counter.ts';

// As in the model table of OpenAI's tiktoken; the longer prefix stands before the shorter.
const encodings: readonly (readonly [prefix: string, encoding: EncodingName])[] = [
  ['gpt-5', 'o200k_base'],
  ['gpt-4.5', 'o200k_base'],
  ['gpt-4.1', 'o200k_base'],
  ['gpt-4o', 'o200k_base'],
  ['chatgpt-4o', 'o200k_base'],
  ['gpt-oss', 'o200k_base'],
  ['o1', 'o200k_base'],
  ['o3', 'o200k_base'],
  ['o4', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
  ['gpt-3.5', 'cl100k_base'],
];

const loaded = new Map<EncodingName, Promise<BytePairCounter>>();

/** The best counter there is for a model: its own encoding, or an estimate that says so. */
export async function loadTokenCounter(model: string): Promise<TokenCounter> {
  checkText('model', model);
  const encoding = encodingOf(model);
  if (encoding === undefined) return new EstimatingCounter();
  const counter = loaded.get(encoding) ?? BytePairCounter.load(encoding);
  loaded.set(encoding, counter);
  return counter;
}

function encodingOf(model: string): EncodingName | undefined {
  // A fine-tuned model (`ft:gpt-4o-mini:acme::id`) has the encoding of its base.
  const name = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^ft:/, '');
  return encodings.find(
    ([prefix]) => name.startsWith(prefix) && !/^[a-z0-9]/.test(name.slice(prefix.length)),
  )?.[1];
}
