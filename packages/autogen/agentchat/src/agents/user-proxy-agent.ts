import { randomUUID } from 'node:crypto';
import type { OptionNames } from '@teamfuse/python-compat';
import { isRefusal, shown } from '@teamfuse/python-compat';
import { z } from 'zod';
import { untilAborted } from '../async/until-aborted.ts';
import { CancelledError, RuntimeError, ValueError } from '../base/errors.ts';
import { knownOptions } from '../base/options.ts';
import type { Response } from '../base/response.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { type ComponentModel, componentModel } from '../component/component-model.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';
import { HandoffMessage } from '../messages/chat/handoff-message.ts';
import { TextMessage } from '../messages/chat/text-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { UserInputRequestedEvent } from '../messages/events/user-input-requested-event.ts';
import type { ChatItemClass } from '../messages/message-factory.ts';
import { StreamingChatAgent } from './streaming-chat-agent.ts';
import { type InputFunc, readLine } from './user-input.ts';

const DEFAULT_DESCRIPTION = 'A human user';

/** Options of a {@link UserProxyAgent}. */
export interface UserProxyAgentOptions {
  /** @defaultValue 'A human user' */
  readonly description?: string | undefined;
  /** @defaultValue reads a line from standard input */
  readonly inputFunc?: InputFunc | undefined;
}

/** The names of {@link UserProxyAgentOptions}. */
const optionNames: OptionNames<UserProxyAgentOptions> = {
  description: true,
  inputFunc: true,
};

const PROVIDER = 'autogen_agentchat.agents.UserProxyAgent';
const configSchema = z.object({
  name: z.string(),
  description: z.string().default(DEFAULT_DESCRIPTION),
});

/**
 * Answers by asking a person.
 *
 * A handoff to the agent is answered with a handoff back, any other message with a text.
 *
 * @example
 * ```ts
 * const user = new UserProxyAgent('user', { inputFunc: async (prompt) => `I was asked: ${prompt}` });
 * ```
 */
export class UserProxyAgent extends StreamingChatAgent {
  static readonly component: ComponentClass<UserProxyAgent> = {
    provider: PROVIDER,
    load: (config) => {
      const { name, description } = validate(configSchema, config, 'UserProxyAgentConfig');
      return new UserProxyAgent(name, { description });
    },
  };
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage, HandoffMessage];
  /** Asks the person. Writable, so that a guard can replace it. */
  inputFunc: InputFunc;

  constructor(name: string, options: UserProxyAgentOptions = {}) {
    const { description = DEFAULT_DESCRIPTION, inputFunc = readLine } = knownOptions(
      'UserProxyAgent',
      options,
      optionNames,
    );
    super(name, description);
    this.inputFunc = inputFunc;
  }

  protected override async *turn(
    messages: readonly BaseChatMessage[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ChatItem, Response> {
    const { name: source } = this;
    try {
      const handoff = this.#handoff(messages);
      const prompt = handoff === undefined ? '' : `Handoff received from ${handoff.source}. `;
      const requestId = randomUUID();
      yield new UserInputRequestedEvent({ requestId, source });
      const content = await this.#ask(`${prompt}Enter your response: `, requestId, signal);
      return {
        chatMessage:
          handoff === undefined
            ? new TextMessage({ content, source })
            : new HandoffMessage({ content, source, target: handoff.source }),
      };
    } catch (error) {
      throw inputFailure(error);
    }
  }

  override async onReset(): Promise<void> {}

  /** The input function is not part of the dump: a loaded agent reads from standard input. */
  override dumpComponent(): ComponentModel {
    const { name, description } = this;
    return componentModel({ provider: PROVIDER, componentType: 'agent' }, { name, description });
  }

  /** The handoff to answer, if the last message is one; earlier handoffs do not count. */
  #handoff(messages: readonly BaseChatMessage[]): HandoffMessage | undefined {
    const last = messages.at(-1);
    if (!(last instanceof HandoffMessage)) return undefined;
    if (last.target === this.name) return last;
    throw new RuntimeError(`Handoff message target does not match agent name: ${last.source}`);
  }

  async #ask(prompt: string, requestId: string, signal: AbortSignal | undefined): Promise<string> {
    try {
      const answer: unknown = await untilAborted(signal, async () =>
        this.inputFunc(prompt, { requestId, signal }),
      );
      if (typeof answer === 'string') return answer;
      throw new ValueError(`the answer has to be a text, received ${shown(answer)}`);
    } catch (error) {
      throw inputFailure(error);
    }
  }
}

/** Upstream wraps a failure of the input function twice, and callers match on the text. */
function inputFailure(error: unknown): unknown {
  if (error instanceof CancelledError || isRefusal(error)) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new RuntimeError(`Failed to get user input: ${text}`, { cause: error });
}
