import type { RequestUsage } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { ValueError } from './base/errors.ts';
import { knownOptions } from './base/options.ts';
import { isResponse, type Response } from './base/response.ts';
import { isTaskResult, type TaskResult } from './base/task-result.ts';
import { MultiModalMessage } from './messages/chat/multi-modal-message.ts';
import type { ChatItem } from './messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from './messages/events/model-client-streaming-chunk-event.ts';
import { UserInputRequestedEvent } from './messages/events/user-input-requested-event.ts';
import type { UserInputManager } from './user-input-manager.ts';

/** Options of {@link Console}. */
export interface ConsoleOptions {
  /**
   * Whether to print the usage of every message, and a summary at the end.
   * @defaultValue false
   */
  readonly outputStats?: boolean | undefined;
  /**
   * Whether images stay the word `<image>` even if the terminal (iTerm2) can show them.
   * @defaultValue false
   */
  readonly noInlineImages?: boolean | undefined;
  /** Notified when the stream reaches a request for input, so that the prompt comes after it. */
  readonly userInputManager?: UserInputManager | undefined;
  /** @defaultValue writes to standard output */
  readonly write?: ((text: string) => void) | undefined;
  /**
   * A clock in milliseconds, for the duration in the summary.
   * @defaultValue performance.now
   */
  readonly now?: (() => number) | undefined;
}

const optionNames: OptionNames<ConsoleOptions> = {
  outputStats: true,
  noInlineImages: true,
  userInputManager: true,
  write: true,
  now: true,
};

/**
 * Prints a run as it happens, and returns its last item.
 *
 * @example
 * ```ts
 * const result = await Console(team.runStream({ task: 'Write a haiku' }));
 * ```
 */
export async function Console<TEnd extends TaskResult | Response>(
  stream: AsyncIterable<ChatItem | TEnd>,
  options: ConsoleOptions = {},
): Promise<TEnd> {
  const printer = new Printer(knownOptions('Console', options, optionNames));
  let end: TEnd | undefined;
  for await (const item of stream) {
    if (isTaskResult(item)) printer.printResult(item);
    else if (isResponse(item)) printer.printResponse(item);
    else printer.printItem(item as ChatItem);
    if (isTaskResult(item) || isResponse(item)) end = item as TEnd;
  }
  if (end === undefined) throw new ValueError('No TaskResult or Response was processed.');
  return end;
}

const RULE = '-'.repeat(10);

/** Prints the items of one stream. */
class Printer {
  readonly #stats: boolean;
  readonly #showImages: boolean;
  readonly #inputs: UserInputManager | undefined;
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  readonly #startedAt: number;
  #prompt = 0;
  #completion = 0;
  /** Whether the last printed item was a chunk. */
  #isMidMessage = false;

  constructor({
    outputStats = false,
    noInlineImages = false,
    userInputManager,
    write = (text) => {
      process.stdout.write(text);
    },
    now = () => performance.now(),
  }: ConsoleOptions) {
    this.#stats = outputStats;
    this.#showImages = !noInlineImages && process.env.TERM_PROGRAM === 'iTerm.app';
    this.#inputs = userInputManager;
    this.#write = write;
    this.#now = now;
    this.#startedAt = now();
  }

  printItem(item: ChatItem): void {
    if (item instanceof UserInputRequestedEvent) {
      this.#inputs?.notifyEventReceived(item.requestId);
      return;
    }
    if (!this.#isMidMessage) this.#write(`${RULE} ${item.type} (${item.source}) ${RULE}\n`);
    if (item instanceof ModelClientStreamingChunkEvent) {
      this.#isMidMessage = true;
      this.#write(item.toText());
      return;
    }
    // The item after chunks repeats their text, which has been printed already.
    this.#write(this.#isMidMessage ? '\n' : `${this.#text(item)}\n`);
    this.#isMidMessage = false;
    this.#count(item.modelsUsage);
  }

  printResult({ messages, stopReason }: TaskResult): void {
    this.#summary(`Number of messages: ${messages.length}\nFinish reason: ${stopReason ?? 'None'}`);
  }

  printResponse({ chatMessage, innerMessages }: Response): void {
    this.#write(`${RULE} ${chatMessage.source} ${RULE}\n${this.#text(chatMessage)}\n`);
    this.#count(chatMessage.modelsUsage);
    this.#summary(`Number of inner messages: ${innerMessages?.length ?? 0}`);
  }

  #count(usage: RequestUsage | null): void {
    if (usage === null) return;
    const { promptTokens, completionTokens } = usage;
    this.#prompt += promptTokens;
    this.#completion += completionTokens;
    if (this.#stats) {
      this.#write(`[Prompt tokens: ${promptTokens}, Completion tokens: ${completionTokens}]\n`);
    }
  }

  #summary(heading: string): void {
    if (!this.#stats) return;
    const seconds = (this.#now() - this.#startedAt) / 1000;
    this.#write(
      `${RULE} Summary ${RULE}\n${heading}\nTotal prompt tokens: ${this.#prompt}\n` +
        `Total completion tokens: ${this.#completion}\nDuration: ${seconds.toFixed(2)} seconds\n`,
    );
  }

  #text(item: ChatItem): string {
    if (!this.#showImages || !(item instanceof MultiModalMessage)) return item.toText();
    return item.content
      .map((part) => (typeof part === 'string' ? part : inlineImage(part.data)))
      .join('\n');
  }
}

/** The escape sequence that shows an image in iTerm2. */
function inlineImage(data: string): string {
  return `\u001b]1337;File=inline=1:${data}\u0007`;
}
