/** The median of several runs, with the fastest and the slowest. */
export function summarize(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1], fastest: sorted[0], slowest: sorted.at(-1) };
}

/** Nanoseconds that `work` takes. */
export function nsOf(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

/** Nanoseconds that `work` takes until its promise is kept. */
export async function nsOfAsync(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}
