/** Where deadlines come from: the timers of the machine, unless others are given. */
export interface Timers {
  /** Calls `ring` after `ms` milliseconds. Returns what `clear` takes. */
  readonly set: (ring: () => void, ms: number) => unknown;
  /** Forgets a call that has not been made yet. */
  readonly clear: (timer: unknown) => void;
}

/** The timers of the machine. @internal */
export const MACHINE_TIMERS: Timers = {
  set: setTimeout,
  clear: clearTimeout as (timer: unknown) => void,
};

/**
 * What `pending` gives, or what `late` throws if that takes longer than `ms`.
 * @internal
 */
export function within<T>(
  pending: Promise<T>,
  ms: number,
  { set, clear }: Timers,
  late: () => never,
): Promise<T> {
  let timer: unknown;
  const deadline = new Promise<never>((_, reject) => {
    timer = set(() => {
      try {
        late();
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  return Promise.race([pending, deadline]).finally(() => clear(timer));
}
