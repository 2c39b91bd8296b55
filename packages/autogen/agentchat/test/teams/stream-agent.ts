import {
  BaseChatAgent,
  type BaseChatMessage,
  type ChatItem,
  type ChatItemClass,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';

/** A turn of an agent. */
export type Turn = (
  messages: readonly BaseChatMessage[],
  signal: AbortSignal | undefined,
) => AsyncGenerator<ChatItem | Response, void>;

/** An agent whose turns are defined by the test. */
export class StreamAgent extends BaseChatAgent {
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  readonly #turn: Turn;

  constructor(name: string, turn: Turn) {
    super(name, `${name} does what the test says`);
    this.#turn = turn;
  }

  async onMessages(): Promise<Response> {
    throw new Error('asked without a stream');
  }

  override onMessagesStream(
    messages: readonly BaseChatMessage[],
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<ChatItem | Response, void> {
    return this.#turn(messages, signal);
  }

  async onReset(): Promise<void> {}
}

/** A text answer. */
export function answer(content: string, source: string, inner?: readonly ChatItem[]): Response {
  const chatMessage = new TextMessage({ content, source });
  return inner === undefined ? { chatMessage } : { chatMessage, innerMessages: inner };
}

/** A turn that throws. */
export function throwing(error: unknown, before: () => void = () => {}): Turn {
  return async function* () {
    before();
    yield await Promise.reject(error);
  };
}
