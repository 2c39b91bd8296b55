import { BoundedMap } from '@teamfuse/core/kit';
import { tellMessage } from './chat-messages.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn, parsedJson, recordsOf } from './values.ts';

/** An event of a runtime log of AutoGen 0.2: who received what. */
export interface LoggedEvent {
  readonly name: unknown;
  readonly receiver: string;
  readonly receiverClass: unknown;
  /** JSON in a text, or what it holds. */
  readonly state: unknown;
  readonly timestamp: unknown;
}

/** A model call of a runtime log. */
export interface LoggedCompletion {
  /** Missing before 0.2.29. */
  readonly agent: string | undefined;
  readonly request: unknown;
  readonly response: unknown;
  readonly cost: unknown;
  readonly timestamp: unknown;
}

const MANAGER = 'GroupChatManager';
/** Agents that a group chat makes for itself to choose the next speaker. */
const SELECTION: readonly string[] = ['checking_agent', 'speaker_selection_agent'];
const MAX_ANSWERS = 4096;

/** Writes down a runtime log: each message once, and what the model calls took. */
export class RuntimeLogTeller {
  readonly #transcript: Transcript;
  readonly #managers = new Set<string>();
  /** Answers that no later request has shown yet, where the log has no events. */
  readonly #answers = new BoundedMap<string, true>(MAX_ANSWERS);
  #isTask = true;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  received({ name, receiver, receiverClass, state, timestamp }: LoggedEvent): void {
    if (receiverClass === MANAGER) this.#managers.add(receiver);
    if (name !== 'received_message' || SELECTION.includes(receiver)) return;
    const fields = fieldsOf(parsedJson(state));
    if (fields === undefined) throw new Error('json_state: expected a JSON object');
    const { message, sender } = fields;
    const from = nameIn(sender);
    // A manager hands on to the others what it was told: that was seen when it was told.
    if (from === undefined || SELECTION.includes(from) || this.#managers.has(from)) return;
    const told = fieldsOf(message) ?? { content: message };
    this.#tell({ ...told, name: from }, timestamp);
  }

  /** A model call. `isSpeaking` where the log has no events, so that what is said stands here alone. */
  completed(completion: LoggedCompletion, isSpeaking: boolean): void {
    const request = fieldsOf(parsedJson(completion.request)) ?? {};
    const response = fieldsOf(parsedJson(completion.response));
    const agent = completion.agent ?? 'assistant';
    const messages = recordsOf(request.messages);
    const latest = messages.at(-1);
    const isNew = latest !== undefined && !this.#answers.delete(keyOf(latest));
    if (isSpeaking && isNew && latest.role !== 'system') {
      this.#tell({ ...latest, name: nameIn(latest.name, latest.role) }, completion.timestamp);
    }
    const usage = fieldsOf(response?.usage);
    this.#transcript.next(timeOf(completion.timestamp));
    this.#transcript.used(agent, {
      model: nameIn(response?.model, request.model),
      usage,
      inputTokens: usage?.prompt_tokens,
      outputTokens: usage?.completion_tokens,
      costUsd: completion.cost,
    });
    const answer = fieldsOf(recordsOf(response?.choices)[0]?.message);
    if (!isSpeaking || answer === undefined) return;
    // The next agent's request ends with it.
    this.#answers.add(keyOf(answer), true);
    this.#tell({ ...answer, name: agent }, completion.timestamp);
  }

  #tell(message: Fields, timestamp: unknown): void {
    tellMessage({ ...message, timestamp: timeOf(timestamp) }, this.#transcript, this.#isTask);
    this.#isTask = false;
  }
}

function keyOf({ content, tool_calls: calls }: Fields): string {
  return JSON.stringify([content ?? null, calls ?? null]);
}

/** Logs have UTC without saying so. */
function timeOf(timestamp: unknown): unknown {
  if (typeof timestamp !== 'string') return timestamp;
  return /[zZ]|[+-]\d\d:?\d\d$/.test(timestamp) ? timestamp : `${timestamp.replace(' ', 'T')}Z`;
}
