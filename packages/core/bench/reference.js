/** Steps of the reference work: long enough to time, and short beside a run. */
const STEPS = 60_000;
/** A run counts only if the reference beside it took no more than this times as long as it can. */
const MAX_SLOWDOWN = 1.12;
/** How long it can take is the time that one in so many stays below; the very least may be a fault of the clock. */
const BEST_SHARE = 50;
const WARM_UPS = 300;

const times = [];
let sink = 0;

/**
 * Times a piece of work that is always the same: branches that go either way by chance, which suffer most when somebody
 * else uses the same core.
 */
export function timeReference() {
  const start = process.hrtime.bigint();
  let state = 1;
  for (let i = 0; i < STEPS; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    if (state < 0) sink += i;
    else sink ^= state;
  }
  const taken = Number(process.hrtime.bigint() - start);
  times.push(taken);
  return taken;
}

/** The longest that the reference takes while nobody else is at work, as far as it is known. */
export function longestCalm() {
  const sorted = times.toSorted((a, b) => a - b);
  return MAX_SLOWDOWN * sorted[Math.floor(sorted.length / BEST_SHARE)];
}

/** Lets the reference be compiled. */
export function warmUpReference() {
  for (let i = 0; i < WARM_UPS; i++) timeReference();
  times.length = 0;
  return sink;
}
