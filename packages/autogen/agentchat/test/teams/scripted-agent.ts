import {
  type BaseChatMessage,
  type ChatItem,
  type ChatItemClass,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';
import { BaseChatAgent } from '../../src/agents/base-chat-agent.ts';

/** Answers with one text after the other, then repeats the last one, and records the messages it receives. */
export class ScriptedAgent extends BaseChatAgent {
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  readonly received: string[][] = [];
  readonly #script: readonly (string | Response | Error)[];
  #turn = 0;

  constructor(name: string, ...script: readonly (string | Response | Error)[]) {
    super(name, `${name} follows a script`);
    this.#script = script;
  }

  async onMessages(messages: readonly BaseChatMessage[]): Promise<Response> {
    this.received.push(messages.map((message) => message.toText()));
    const next = this.#script[Math.min(this.#turn, this.#script.length - 1)];
    this.#turn += 1;
    if (next instanceof Error) throw next;
    if (typeof next === 'object') return next;
    return { chatMessage: new TextMessage({ content: next ?? '', source: this.name }) };
  }

  async onReset(): Promise<void> {
    this.#turn = 0;
  }
}

/** The messages of a run, as `source: text`. */
export function transcript(items: readonly ChatItem[]): readonly string[] {
  return items.map((item) => `${item.source}: ${item.toText()}`);
}
