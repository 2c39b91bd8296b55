import type { WaitEnd } from '../../budget/calls/waiting-calls.ts';
import { onAbort } from '../../deadline.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';

/** A trip or the caller's signal ends the wait for other calls. */
export function endOfWait(
  circuit: Pick<CircuitController, 'onOpen'>,
  signal: AbortSignal | undefined,
): WaitEnd {
  return (end) => {
    if (signal?.aborted) {
      end();
      return () => {};
    }
    const unsubscribe = circuit.onOpen(end);
    const quit = signal && onAbort(signal, end);
    return () => {
      unsubscribe();
      quit?.();
    };
  };
}
