export type { WireRequest } from './formats/format.ts';
export type { RequestBounds } from './guard/bounds.ts';
export type { GuardFetchOptions } from './guard/guard-fetch-options.ts';
export { guardFetch } from './guard-fetch.ts';
export type { CallItem, Item, ResultItem, TextItem } from './item.ts';
export { type RefusedTrip, tripOf } from './trip-of.ts';
