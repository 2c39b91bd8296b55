import type { Permit } from '../../admission.ts';
import type { AdmissionRequest } from '../../signal/request.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import { isCountedHere, type SharedCircuits } from '../circuit/shared-circuits.ts';
import { arrived, type Waits } from './waits.ts';

/** Waits for what other processes know of a circuit, and for leave to be the one probe of all if it is time for one. */
export function* leaveToProbe(
  circuits: SharedCircuits,
  circuit: CircuitController,
  conversation: string,
  request: AdmissionRequest,
  within: Permit | undefined,
): Waits<void> {
  yield* arrived(circuits.known);
  const trip = circuit.refusal(within);
  if (trip === undefined || isCountedHere(trip) || !circuit.isProbeDue(request)) return;
  yield* arrived(circuits.askProbe(conversation, request.at));
  // Another step has become the probe, or else somebody has stopped the conversation meanwhile.
  const isOver = !circuit.isProbeDue(request) && circuit.state.status !== 'half-open';
  if (isOver) circuits.giveBackProbe(conversation);
}
