export { type FormatCheck, type FormatSamples, formatContract } from './format-contract.ts';
