/** The quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/**
 * Wilson's score interval of a share, from 0 to 1: where the true share lies with 95 % confidence, if `hits` of `total` were
 * seen. Without any it is the whole range.
 */
export function wilson(hits: number, total: number): readonly [low: number, high: number] {
  if (total === 0) return [0, 1];
  const share = hits / total;
  const z2 = Z ** 2 / total;
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (Z * Math.sqrt((share * (1 - share) + z2 / 4) / total)) / (1 + z2);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** `46 of 66 (58–79 %)`: a share with its interval. */
export function withInterval(hits: number, total: number): string {
  const percent = (share: number): number => Math.round(100 * share);
  const [low, high] = wilson(hits, total);
  return `${hits} of ${total} (${percent(low)}–${percent(high)} %)`;
}
