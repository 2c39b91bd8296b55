export { type BreakerWatch, type WatchOptions, watch } from './watch.ts';
