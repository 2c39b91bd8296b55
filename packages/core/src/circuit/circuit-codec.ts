import type { JsonValue } from '../common/json.ts';
import { type Codec, count, expect, moment, record, recordAt } from '../state/codec.ts';
import { checkTrip } from './check-trip.ts';
import { type CircuitState, MAX_COOLDOWN_MS } from './circuit.ts';

const NUMBERS = {
  closed: record({}),
  open: record({ openedAt: moment, probeFrom: moment, openings: count }),
  'half-open': record({ probeId: count, probeUntil: moment, openings: count }),
  stopped: record({}),
} as const;

/** The state of a circuit in snapshots. */
export const CIRCUIT: Codec<CircuitState> = {
  write: (state) => state as unknown as JsonValue,
  read: (path, json) => {
    const { status, trip, openedAt, probeFrom } = recordAt(path, json);
    const isKnown = typeof status === 'string' && Object.hasOwn(NUMBERS, status);
    expect(isKnown, `${path}.status`, Object.keys(NUMBERS).join(', '), status);
    NUMBERS[status as keyof typeof NUMBERS].read(path, json);
    if (status !== 'closed') checkTrip(`${path}.trip`, trip);
    if (status === 'open') {
      const waitMs = (probeFrom as number) - (openedAt as number);
      const isWait = waitMs >= 0 && waitMs <= MAX_COOLDOWN_MS;
      const expected = `at most ${MAX_COOLDOWN_MS} ms after openedAt`;
      expect(isWait, `${path}.probeFrom`, expected, probeFrom);
    }
    return json as CircuitState;
  },
};

/** What is kept of a forgotten conversation whose circuit is open. */
export interface OpenCircuit {
  readonly state: CircuitState;
  readonly probes: number;
}

export const OPEN_CIRCUIT: Codec<OpenCircuit> = record<OpenCircuit>({
  state: CIRCUIT,
  probes: count,
});
