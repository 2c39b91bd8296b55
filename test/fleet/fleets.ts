/** A fleet of three processes that spend one budget. */
export interface Fleet {
  readonly how: string;
  readonly budget: string;
  /** How many calls each process makes. */
  readonly calls: number;
  readonly isLeasing: boolean;
  /** How often something is killed, stands still or is started again. */
  readonly disturbances: number;
}

/** `FLEET_CALLS=10000` takes minutes. */
// biome-ignore lint/suspicious/noUndeclaredEnvVars: no task of turbo runs it.
const CALLS = Number(process.env.FLEET_CALLS ?? 150);

export const CALL_BY_CALL: Fleet = {
  how: 'call by call',
  budget: 'fleet',
  calls: CALLS,
  isLeasing: false,
  disturbances: 12,
};

/** Calls from leases are so fast that more of them are needed to meet every disturbance. */
export const WITH_LEASES: Fleet = {
  how: 'with leases',
  budget: 'leasing fleet',
  calls: 6 * CALLS,
  isLeasing: true,
  disturbances: 12,
};

/** A fleet that makes a third of the calls, and meets each disturbance once. */
export function inSmall(fleet: Fleet): Fleet {
  return { ...fleet, calls: fleet.calls / 3, disturbances: 5 };
}
