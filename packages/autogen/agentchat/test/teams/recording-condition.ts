import { type ChatItem, StopMessage, TerminationCondition } from '@teamfuse/agentchat';
import { transcript } from './scripted-agent.ts';

/** Records the messages it gets, and stops when one contains a text. */
export class RecordingCondition extends TerminationCondition {
  readonly calls: (readonly string[])[] = [];
  resets = 0;
  terminated = false;
  readonly #text: string;

  constructor(text = 'never') {
    super();
    this.#text = text;
  }

  call(messages: readonly ChatItem[]): StopMessage | null {
    this.calls.push(transcript(messages));
    this.terminated = messages.some((message) => message.toText().includes(this.#text));
    return this.terminated ? new StopMessage({ content: 'recorded', source: 'x' }) : null;
  }

  reset(): void {
    this.resets += 1;
    this.terminated = false;
  }
}
