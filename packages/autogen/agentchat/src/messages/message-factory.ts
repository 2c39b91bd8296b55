import { repr, typeText } from '@teamfuse/python-compat';
import { ValueError } from '../base/errors.ts';
import { BaseMessage, type MessageClass } from './base-message.ts';
import { HandoffMessage } from './chat/handoff-message.ts';
import { MultiModalMessage } from './chat/multi-modal-message.ts';
import { StopMessage } from './chat/stop-message.ts';
import { TextMessage } from './chat/text-message.ts';
import { ToolCallSummaryMessage } from './chat/tool-call-summary-message.ts';
import type { ChatItem } from './chat-item.ts';
import { CodeExecutionEvent } from './events/code-execution-event.ts';
import { CodeGenerationEvent } from './events/code-generation-event.ts';
import { MemoryQueryEvent } from './events/memory-query-event.ts';
import { ModelClientStreamingChunkEvent } from './events/model-client-streaming-chunk-event.ts';
import { SelectSpeakerEvent } from './events/select-speaker-event.ts';
import { ThoughtEvent } from './events/thought-event.ts';
import { ToolCallExecutionEvent } from './events/tool-call-execution-event.ts';
import { ToolCallRequestEvent } from './events/tool-call-request-event.ts';
import { UserInputRequestedEvent } from './events/user-input-requested-event.ts';

/** A class of messages or events that can be registered with a {@link MessageFactory}. */
export type ChatItemClass = MessageClass<ChatItem>;

const BUILT_IN: readonly ChatItemClass[] = [
  TextMessage,
  MultiModalMessage,
  StopMessage,
  ToolCallSummaryMessage,
  HandoffMessage,
  ToolCallRequestEvent,
  ToolCallExecutionEvent,
  MemoryQueryEvent,
  UserInputRequestedEvent,
  ModelClientStreamingChunkEvent,
  ThoughtEvent,
  SelectSpeakerEvent,
  CodeGenerationEvent,
  CodeExecutionEvent,
];

/** The registered message classes, by type. The built-in ones are always registered. */
export class MessageFactory {
  readonly #classes = new Map<string, ChatItemClass>(
    BUILT_IN.map((messageClass) => [messageClass.type, messageClass]),
  );

  /** Whether the type is registered. */
  isRegistered(type: string): boolean {
    return this.#classes.has(type);
  }

  /**
   * Registers a class.
   *
   * @throws {@link ValueError} when its type is registered already.
   */
  register(messageClass: ChatItemClass): void {
    if (typeof messageClass?.type !== 'string' || typeof messageClass.load !== 'function') {
      throw new ValueError(
        `Message type ${repr(String(messageClass))} must be a class of messages with a static type and a static load.`,
      );
    }
    if (this.isRegistered(messageClass.type)) {
      throw new ValueError(`Message type ${classText(messageClass.type)} is already registered.`);
    }
    this.#classes.set(messageClass.type, messageClass);
  }

  /**
   * Makes a message from its JSON form.
   *
   * @throws {@link ValueError} when the form has no registered type.
   */
  create(data: unknown): ChatItem {
    const type =
      typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
    if (type === undefined) {
      throw new ValueError(
        "Field 'type' is required in the message data to recover the message type.",
      );
    }
    const messageClass = typeof type === 'string' ? this.#classes.get(type) : undefined;
    if (messageClass === undefined) throw new ValueError(`Unknown message type: ${String(type)}`);
    return messageClass.load(data);
  }

  /**
   * Checks that a message has a registered type.
   *
   * @throws {@link ValueError} otherwise; `hint` is added to the error's message.
   */
  check(message: BaseMessage, hint = ''): void {
    const given: unknown = message;
    if (given instanceof BaseMessage && this.isRegistered(given.type)) return;
    const type = given instanceof BaseMessage ? classText(given.type) : typeText(given);
    throw new ValueError(`Message type ${type} is not registered${hint}.`);
  }
}

function classText(type: string): string {
  return `<class '${type}'>`;
}
