export { PriceError, type PriceErrorCode } from './errors.ts';
export { GenaiPriceBook, type GenaiPriceBookOptions } from './genai-price-book.ts';
export { type ContextWindows, type Price, type PriceBook, toUsd } from './price-book.ts';
export { type ModelPrices, PriceList } from './price-list.ts';
export type { ServiceTier, TokenUsage } from './token-usage.ts';
