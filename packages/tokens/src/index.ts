export { BytePairCounter, type EncodingName } from './byte-pair-counter.ts';
export { TokenError } from './errors.ts';
export { EstimatingCounter } from './estimating-counter.ts';
export { loadTokenCounter } from './load-token-counter.ts';
export type { CountableMessage, TokenCounter } from './token-counter.ts';
