/** One step of one of several scripts that are played side by side. */
export interface Mixed<T> {
  readonly recording: T;
  /** Its index. */
  readonly owner: number;
  readonly turn: number;
}

/** Plays scripts side by side, `atOnce` at a time: each step belongs to one drawn by `seed`. */
export function* mix<T>(
  scripts: readonly T[],
  lengthOf: (script: T) => number,
  atOnce: number,
  seed: number,
): Generator<Mixed<T>> {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const open: { recording: T; owner: number; turn: number }[] = [];
  let next = 0;
  while (open.length > 0 || next < scripts.length) {
    while (open.length < atOnce && next < scripts.length) {
      open.push({ recording: scripts[next] as T, owner: next, turn: 0 });
      next++;
    }
    const at = draw(open.length);
    const one = open[at] as { recording: T; owner: number; turn: number };
    if (one.turn >= lengthOf(one.recording)) {
      open.splice(at, 1);
      continue;
    }
    yield { ...one };
    one.turn++;
  }
}
