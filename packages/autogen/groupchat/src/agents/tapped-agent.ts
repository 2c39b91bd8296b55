import { ChatCancelled, cancellation, chatSignal, untilCancelled } from '../chats/cancellation.ts';
import type { Stop } from '../chats/stop.ts';
import type { Agent } from '../messages/agent.ts';
import type { ChatEventDetails } from '../taps/chat-event.ts';
import type {
  RefusableStep,
  RefusableStepDetails,
  StepOrigin,
  UnaskedStepDetails,
} from '../taps/step.ts';
import { refusalIn, type StepWork, TapSet } from '../taps/tap.ts';
import type { ConversableAgentOptions } from './agent-options.ts';
import type { ConversableAgent } from './conversable-agent.ts';
import { ReplyingAgent } from './replying-agent.ts';

/** An agent that reports what it does to taps, and takes its steps inside them. */
export abstract class TappedAgent extends ReplyingAgent {
  /** The registered taps. */
  readonly taps: TapSet;
  /** The manager that hides this agent while it chooses a speaker. */
  readonly hiddenFor: Agent | null;

  constructor(options: ConversableAgentOptions) {
    super(options);
    this.taps = options.taps ?? new TapSet();
    this.hiddenFor = options.hiddenFor ?? null;
  }

  /** Reports an event of this agent to its taps. */
  emit(details: ChatEventDetails): void {
    this.taps.observe({ agent: this.#self, hiddenFor: this.hiddenFor, ...details });
  }

  /** Asks the taps for permission; resolves to `false` and sets {@link refusal} when one refuses. */
  admit(details: RefusableStepDetails): Promise<boolean> {
    return this.#isAdmitted(this.#stepOf(details));
  }

  /**
   * Does the work of a step inside the taps. Resolves to `undefined` when one of them refuses, which sets {@link refusal},
   * and when the chat is cancelled.
   */
  async step<T>(details: RefusableStepDetails, work: StepWork<T>): Promise<T | undefined> {
    const step = this.#stepOf(details);
    if (!(await this.#isAdmitted(step))) return undefined;
    try {
      return await this.taps.around(step, waiting(details, work));
    } catch (error) {
      if (error instanceof ChatCancelled) return undefined;
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      this.refused(stopBy(refusal));
      return undefined;
    }
  }

  /** Does the work of a step that needs no permission inside the taps; of a chat, inside those of both its agents. */
  inside<T>(details: UnaskedStepDetails, work: StepWork<T>): Promise<T> {
    const step = this.#stepOf(details);
    const waited = waiting(details, work);
    const recipient: unknown = details.kind === 'chat' ? details.recipient : this;
    if (!(recipient instanceof TappedAgent) || recipient.taps === this.taps) {
      return this.taps.around(step, waited);
    }
    return this.taps.around(step, () => recipient.taps.around(step, waited));
  }

  async #isAdmitted(step: RefusableStep): Promise<boolean> {
    if (cancellation()) return false;
    const refusal = await this.taps.admit(step);
    if (refusal) this.refused(stopBy(refusal));
    return refusal === undefined;
  }

  /** The members are written out: two spreads in one literal take twenty times as long. */
  #stepOf<T extends object>(details: T): StepOrigin & T {
    const [agent, { hiddenFor }, signal] = [this.#self, this, chatSignal()];
    return signal ? { agent, hiddenFor, signal, ...details } : { agent, hiddenFor, ...details };
  }

  get #self(): ConversableAgent {
    // Only ConversableAgent extends this class.
    return this as unknown as ConversableAgent;
  }
}

/** Work that ends when the chat is cancelled, unless it is made of further steps, which do. */
function waiting<T>({ kind }: { readonly kind: string }, work: StepWork<T>): StepWork<T> {
  const isMadeOfSteps = kind === 'turn' || kind === 'nested-chat' || kind === 'chat';
  if (isMadeOfSteps) return work;
  return (given, toolless) => untilCancelled((signal) => work(signal, toolless), given);
}

function stopBy({ reason }: { readonly reason: string }): Stop {
  return { kind: 'refused', reason };
}
