import type { LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import { AssertionError, NotImplementedError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import type { StopMessage } from '../../messages/chat/stop-message.ts';
import { TextMessage } from '../../messages/chat/text-message.ts';
import { type ChatItem, isChatMessage } from '../../messages/chat-item.ts';
import { SelectSpeakerEvent } from '../../messages/events/select-speaker-event.ts';
import { visibleTo } from '../../model-calls/images.ts';
import { answerOf, textOf } from '../../model-calls/model-call.ts';
import {
  GroupChatManager,
  type ManagerSetup,
  type RunContext,
  type Start,
  type Step,
} from '../group-chat-manager.ts';
import { throwIfCancelled } from '../run-failure.ts';
import { askForLedger } from './ledger.ts';
import type { MagenticOneParts } from './options.ts';
import * as prompts from './prompts.ts';

const stateJson = z.object({
  task: z.string().default(''),
  facts: z.string().default(''),
  plan: z.string().default(''),
  n_rounds: z.int().default(0),
  n_stalls: z.int().default(0),
});

/** The orchestrator's state. */
type Work = z.output<typeof stateJson>;

/**
 * Leads a team by a plan: asks a model for facts and a plan, and for a progress report before every step.
 *
 * The condition judges only the participants' answers, not the orchestrator's messages.
 */
export class MagenticOneOrchestrator extends GroupChatManager {
  readonly #parts: MagenticOneParts;
  readonly #team: string;
  #work: Work = stateJson.parse({});

  constructor(setup: ManagerSetup, parts: MagenticOneParts) {
    super(setup);
    this.#parts = parts;
    this.#team = setup.participants
      .map(({ name, description }) => `${name}: ${description}`.replace(/\s+/g, ' ').trim())
      .join('\n');
  }

  /** Always streams the task, and does not deliver it: the participants get the plan instead. */
  override async start({ messages }: Start, context: RunContext): Promise<Step> {
    if (this.setup.condition?.terminated === true) {
      return { kind: 'stop', message: this.stopMessage('The group chat has already terminated.') };
    }
    // Upstream asserts this without a text.
    if (messages === null) throw new AssertionError('');
    for (const message of messages) context.emit(message);
    const task = messages.map((message) => message.toModelText()).join(' ');
    const question = this.#user(prompts.factsPrompt(task));
    const facts = await this.#ask([question], context);
    const plan = await this.#ask(
      [question, this.#assistant(facts), this.#user(prompts.planPrompt(this.#team))],
      context,
    );
    this.#work = { ...this.#work, task, facts, plan, n_stalls: 0 };
    return this.#begin(context);
  }

  override async judge(delta: readonly ChatItem[]): Promise<StopMessage | null> {
    const stop = await this.setup.condition?.call(delta);
    return stop ? this.stop(stop) : null;
  }

  /** Asks for a progress report, and then finishes, replans, or instructs the next speaker. */
  override async advance(context: RunContext): Promise<Step> {
    throwIfCancelled(context.signal);
    const { maxTurns, emitTeamEvents, name: source } = this.setup;
    if (maxTurns !== null && this.#work.n_rounds > maxTurns) {
      return this.#finish('Max rounds reached.', context);
    }
    this.#work.n_rounds += 1;
    const ledger = await this.#askForLedger(context);
    if (ledger.is_request_satisfied.answer) {
      return this.#finish(ledger.is_request_satisfied.reason, context);
    }
    const isStuck = !ledger.is_progress_being_made.answer || ledger.is_in_loop.answer;
    this.#work.n_stalls = Math.max(0, this.#work.n_stalls + (isStuck ? 1 : -1));
    if (this.#work.n_stalls >= this.#parts.maxStalls) {
      await this.#planAnew(context);
      return this.#begin(context);
    }
    await this.#say(ledger.instruction_or_question.answer, context);
    const speakers = [ledger.next_speaker.answer];
    if (emitTeamEvents) context.emit(new SelectSpeakerEvent({ content: speakers, source }));
    return { kind: 'speak', speakers };
  }

  override async reset(): Promise<void> {
    await super.reset();
    this.#work = stateJson.parse({});
  }

  override async saveState(): Promise<JsonObject> {
    const common = await super.saveState();
    return { type: 'MagenticOneOrchestratorState', ...common, ...this.#work };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const work = validate(stateJson, state, 'MagenticOneOrchestratorState');
    await super.loadState(state);
    this.#work = work;
  }

  protected selectSpeakers(): never {
    throw new NotImplementedError('The orchestrator chooses while it advances.');
  }

  /** Resets the participants and the thread, and begins with the facts and the plan. */
  async #begin(context: RunContext): Promise<Step> {
    await context.resetParticipants();
    this.clearThread();
    const { task, facts, plan } = this.#work;
    await this.#say(prompts.taskLedger({ task, team: this.#team, facts, plan }), context);
    return this.advance(context);
  }

  async #planAnew(context: RunContext): Promise<void> {
    const conversation = this.#conversation();
    const { task, facts: old } = this.#work;
    conversation.push(this.#user(prompts.factsUpdatePrompt(task, old)));
    const facts = await this.#ask(conversation, context);
    conversation.push(this.#assistant(facts), this.#user(prompts.planUpdatePrompt(this.#team)));
    const plan = await this.#ask(conversation, context);
    this.#work = { ...this.#work, facts, plan };
  }

  async #finish(reason: string, context: RunContext): Promise<Step> {
    const prompt = this.#parts.finalAnswerText(this.#work.task);
    await this.#say(
      await this.#ask([...this.#conversation(), this.#user(prompt)], context),
      context,
    );
    return { kind: 'stop', message: await this.stop(this.stopMessage(reason)) };
  }

  async #say(content: string, context: RunContext): Promise<void> {
    const message = new TextMessage({ content, source: this.setup.name });
    await this.record([message]);
    context.emit(message);
    context.broadcast([message]);
  }

  async #askForLedger({ signal }: RunContext): ReturnType<typeof askForLedger> {
    const { modelClient } = this.#parts;
    const names = this.participantNames;
    const prompt = prompts.progressPrompt(this.#work.task, this.#team, names);
    const request = visibleTo(modelClient, [...this.#conversation(), this.#user(prompt)]);
    return askForLedger(modelClient, request, names, { signal });
  }

  async #ask(messages: readonly LLMMessage[], { signal }: RunContext): Promise<string> {
    const { modelClient } = this.#parts;
    return textOf(await answerOf(modelClient, visibleTo(modelClient, messages), { signal }));
  }

  /** The conversation as model messages, with the orchestrator as the assistant. */
  #conversation(): LLMMessage[] {
    return this.thread
      .filter(isChatMessage)
      .map((message) =>
        message.source === this.setup.name
          ? this.#assistant(message.toModelText())
          : message.toModelMessage(),
      );
  }

  #user(content: string): LLMMessage {
    return { type: 'UserMessage', content, source: this.setup.name };
  }

  #assistant(content: string): LLMMessage {
    return { type: 'AssistantMessage', content, source: this.setup.name };
  }
}
