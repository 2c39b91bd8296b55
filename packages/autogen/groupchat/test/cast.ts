import {
  Agent,
  type ChatMessage,
  ConversableAgent,
  type ConversableAgentOptions,
  contentText,
  type IOStream,
  type ReplyFunction,
} from '../src/index.ts';

/** A console that records its output and answers from a list. */
export class TestIO implements IOStream {
  readonly printed: string[] = [];
  readonly warnings: string[] = [];
  readonly prompts: string[] = [];
  readonly #answers: string[];

  constructor(...answers: string[]) {
    this.#answers = answers;
  }

  print(text: string): void {
    this.printed.push(text);
  }

  warn = (text: string): void => {
    this.warnings.push(text);
  };

  async input(prompt: string): Promise<string> {
    this.prompts.push(prompt);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`no answer left for: ${prompt}`);
    return answer;
  }
}

/** An agent that never asks a person and replies `I am X`. */
export function speaker(
  name: string,
  options: Partial<ConversableAgentOptions> = {},
): ConversableAgent {
  return new ConversableAgent({
    name,
    io: new TestIO(),
    humanInputMode: 'NEVER',
    defaultAutoReply: `I am ${name}`,
    ...options,
  });
}

/** An agent that replies with these texts in order, and repeats the last one. */
export function script(name: string, ...texts: string[]): ConversableAgent {
  const agent = speaker(name);
  const left = [...texts];
  const reply: ReplyFunction = () => [true, (left.length > 1 ? left.shift() : left[0]) ?? null];
  agent.registerReply([Agent, null], reply, { position: agent.replyFuncList.length });
  return agent;
}

/** Messages as `name: text`. */
export function lines(messages: readonly ChatMessage[]): string[] {
  return messages.map(({ name, content }) => `${name}: ${contentText(content)}`);
}
