import { BudgetStoreError } from '../budget/store/budget-store.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { Admission } from '../circuit/permit.ts';
import type { Trip } from '../circuit/trip.ts';
import { isPromise, type MaybePromise } from '../common/maybe-promise.ts';
import type { Detection } from '../detection/detection.ts';
import type { Found } from '../detection/finding.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { Reactions } from '../reactions/reactions.ts';
import type { Stages } from './create-stages.ts';
import type { Stage } from './stage.ts';
import type { Ticket } from './ticket.ts';

/** The collaborators of {@link Admissions}. */
interface AdmissionsParts {
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly reactions: Reactions;
  readonly stages: Stages;
  readonly detection: Detection;
  readonly now: () => number;
}

/** Decides whether steps may begin: each passes one stage after the other. */
export class Admissions {
  readonly #parts: AdmissionsParts;

  constructor(parts: AdmissionsParts) {
    this.#parts = parts;
  }

  /** Admits or refuses a step: at once, unless a stage waits. An error is always a rejected promise. */
  admit(ticket: Ticket): MaybePromise<Admission> {
    const stages = this.#stagesOf(ticket);
    const { detection, now } = this.#parts;
    try {
      for (let stage = stages[ticket.stage]; stage !== undefined; stage = stages[ticket.stage]) {
        ticket.stage++;
        if (!ticket.isThroughCircuit) ticket.index = detection.nextIndex;
        const objection = stage(ticket);
        if (isPromise(objection)) return this.#admitLater(objection, ticket);
        const trip = this.#tripOf(objection, ticket);
        if (trip !== undefined) return this.#refuse(ticket, trip);
      }
    } catch (error) {
      return Promise.reject(this.#failed(error, ticket));
    }
    ticket.admit();
    const { request, waitsSince } = ticket;
    if (waitsSince !== undefined) detection.held(request, now() - waitsSince);
    return { isAdmitted: true, permit: ticket.permit };
  }

  async #admitLater(
    objection: Promise<Trip | Found | undefined>,
    ticket: Ticket,
  ): Promise<Admission> {
    ticket.waitsSince ??= this.#parts.now();
    let trip: Trip | undefined;
    try {
      trip = this.#tripOf(await objection, ticket);
    } catch (error) {
      throw this.#failed(error, ticket);
    }
    return trip === undefined ? this.admit(ticket) : this.#refuse(ticket, trip);
  }

  #stagesOf({ request: { kind } }: Ticket): readonly Stage[] {
    const { step, toolCall, modelCall } = this.#parts.stages;
    if (kind === 'model-request') return modelCall as readonly Stage[];
    return kind === 'tool-call' ? toolCall : step;
  }

  /** Why a step is refused after a stage. The circuit is asked each time: much may happen while a stage waits. */
  #tripOf(objection: Trip | Found | undefined, ticket: Ticket): Trip | undefined {
    const { circuit, reactions } = this.#parts;
    if (objection !== undefined) {
      if (!('finding' in objection)) return objection;
      // A call that wraps up may pass an open circuit, but needs its reservation and room in the window.
      ticket.isWrapUp = false;
      reactions.react(objection);
    }
    return ticket.isThroughCircuit ? ticket.askCircuit(circuit) : undefined;
  }

  /** An error that is not of the store is the caller's reason to abort. */
  #failed(error: unknown, ticket: Ticket): unknown {
    ticket.refuse();
    if (error instanceof BudgetStoreError) {
      this.#parts.events.emit('error', { error, during: 'store' });
    }
    return error;
  }

  #refuse(ticket: Ticket, trip: Trip): Admission {
    ticket.refuse();
    this.#parts.reactions.refused(ticket.request, trip);
    return { isAdmitted: false, trip };
  }
}
