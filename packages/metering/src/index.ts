export { BytePairCounter, type EncodingName } from './byte-pair-counter.ts';
export { MeteringError, type MeteringErrorCode } from './errors.ts';
export { EstimatingCounter } from './estimating-counter.ts';
export { GenaiPriceBook, type GenaiPriceBookOptions } from './genai-price-book.ts';
export { loadTokenCounter } from './load-token-counter.ts';
export { type ContextWindows, type Price, type PriceBook, toUsd } from './price-book.ts';
export { type ModelPrices, PriceList } from './price-list.ts';
export type { CountableMessage, TokenCounter } from './token-counter.ts';
export type { TokenUsage } from './token-usage.ts';
