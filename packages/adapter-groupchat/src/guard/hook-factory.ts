import { AdmissionController } from '../admit/admission-controller.ts';
import { StepRunner } from '../admit/step-runner.ts';
import { type AgentView, type GuardReply, isTapped } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { isRehearsing } from '../context/self-test-harness.ts';
import { ModelCalls } from '../observe/model-calls.ts';
import { PromptNudges } from '../observe/prompt-nudges.ts';
import { SignalEmitter } from '../observe/signal-emitter.ts';
import { UntappedSpeech } from '../untapped/untapped-speech.ts';
import { UntappedTurns } from '../untapped/untapped-turns.ts';
import type { AgentHooks } from './installed-hooks.ts';
import { guardReply } from './position.ts';

/** Makes the hooks of one guard for its agents. */
export class HookFactory {
  readonly untappedSpeech: UntappedSpeech;
  readonly #context: ChatContext;
  readonly #nudges: PromptNudges;
  readonly #admission: AdmissionController;
  readonly #steps: StepRunner;
  readonly #signals: SignalEmitter;
  readonly #untappedTurns: UntappedTurns;

  constructor(context: ChatContext) {
    this.#context = context;
    this.#nudges = new PromptNudges(context);
    this.#admission = new AdmissionController(context);
    const calls = new ModelCalls(context, this.#nudges);
    this.#steps = new StepRunner(context, this.#admission, calls);
    this.#signals = new SignalEmitter(context, calls);
    this.untappedSpeech = new UntappedSpeech(context, this.#nudges);
    this.#untappedTurns = new UntappedTurns(context);
  }

  /** `beforeTurn` is called before each turn that is asked for. */
  hooksFor(agent: AgentView, beforeTurn: () => void): AgentHooks {
    const context = this.#context;
    const prepare = (): unknown => isRehearsing() || context.attempt('admit', beforeTurn);
    const decide: GuardReply = (_recipient, messages, sender) => {
      if (!context.isAddressed) return [false, null];
      if (isTapped(agent)) {
        const { turn } = context.place;
        return turn?.notice === undefined ? [false, null] : [true, turn.notice];
      }
      prepare();
      this.untappedSpeech.shown(agent, sender, messages ?? []);
      return this.#untappedTurns.decide(agent, sender);
    };
    return {
      reply: guardReply(decide),
      tap: {
        observe: (event) => {
          if (context.isAddressed) this.#signals.observe(event);
        },
        admit: (attempt) => {
          if (!context.isAddressed) return undefined;
          if (attempt.kind === 'turn') prepare();
          return this.#admission.admit(attempt);
        },
        around: (activity, work) =>
          context.isAddressed ? this.#steps.around(activity, work) : work(),
      },
      beforeReply: (messages) => {
        if (!context.isAddressed) return messages;
        return context.attempt('warn', () => this.#nudges.into(messages, agent)) ?? messages;
      },
      beforeSend: (outgoing) => {
        if (context.isAddressed) this.untappedSpeech.sent(agent, outgoing);
        return outgoing.message;
      },
    };
  }
}
