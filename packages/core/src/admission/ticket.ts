import type { CircuitController } from '../circuit/circuit-controller.ts';
import { type AdmitOptions, FREE_PERMIT, type Permit } from '../circuit/permit.ts';
import type { Trip } from '../circuit/trip.ts';
import type { Ask } from '../detection/calls/call-reader.ts';
import type { Finding, Found } from '../detection/finding.ts';
import type { AdmissionRequest } from '../signal/request.ts';

/** One step from its request to its end, and what it holds until then. It is its own permit. */
export class Ticket<R extends AdmissionRequest = AdmissionRequest> implements Permit {
  readonly request: R;
  readonly options: AdmitOptions;
  /** Who asks what, for a tool call that can be compared with others. */
  ask: Ask | undefined;
  /** The number of the stage that comes next. */
  stage = 0;
  /** The index that findings about the step get: that of the next signal, until the circuit has let it pass. */
  index = 0;
  /** Whether the circuit has let it pass. From then on it is refused as soon as the circuit opens. */
  isThroughCircuit = false;
  /** When the first stage made it wait. */
  waitsSince: number | undefined;
  /** Whether it only writes up what is there, and may begin after a stop. */
  isWrapUp: boolean;
  #isProbe = false;
  #isCancelled = false;
  /** What gives back what the step holds. The latest is called first. */
  #held: (() => void)[] = [];
  readonly #onRefusal: (() => void)[] = [];
  readonly #onAdmission: (() => void)[] = [];

  constructor(request: R, options: AdmitOptions) {
    this.request = request;
    this.options = options;
    this.isWrapUp = request.kind === 'model-request' && request.isWrapUp === true;
  }

  get isProbe(): boolean {
    return this.#isProbe;
  }

  /** What the caller gets once the step is admitted. */
  get permit(): Permit {
    return this.#held.length > 0 ? this : FREE_PERMIT;
  }

  /** Makes the step the probe. `ended` is told of its end, and whether it was cancelled. */
  becomeProbe(ended: (isCancelled: boolean) => void): void {
    this.#isProbe = true;
    this.onEnd(() => ended(this.#isCancelled));
  }

  /** Holds something until the step ends. */
  onEnd(giveBack: () => void): void {
    this.#held.push(giveBack);
  }

  /** Holds something for as long as it is not decided whether the step may begin. */
  onDecision({ refused, admitted }: { refused: () => void; admitted?: () => void }): void {
    this.#onRefusal.push(refused);
    if (admitted !== undefined) this.#onAdmission.push(admitted);
  }

  /** Why the circuit refuses the step now. */
  askCircuit(circuit: CircuitController): Trip | undefined {
    const trip = circuit.refusal(this, this.options.within);
    const isSpared = trip !== undefined && this.isWrapUp && circuit.claimWrapUp(this);
    return isSpared ? undefined : trip;
  }

  found(finding: Finding): Found {
    return { finding, index: this.index, at: this.request.at };
  }

  admit(): void {
    for (const admitted of this.#onAdmission) admitted();
  }

  refuse(): void {
    for (const refused of this.#onRefusal) refused();
    this.cancel();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.release();
  }

  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const giveBack of held.reverse()) giveBack();
  }
}
