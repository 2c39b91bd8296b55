import type { CodeBlock, CodeExecutor, CodeResult } from '@teamfuse/code-executors';
import type { OptionNames } from '@teamfuse/python-compat';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import { invalidValue } from '../errors.ts';
import { coloured } from '../io/io-stream.ts';
import { contentText } from '../messages/content.ts';
import type { ChatMessage } from '../messages/message.ts';
import { fencedBlocks, inferLanguage } from '../text/code-blocks.ts';
import type { ReplyFunction, ReplyResult } from './reply-function.ts';

/** How many of the latest messages are searched for code; `auto` means those since the agent last spoke. */
export type ScanWindow = number | 'auto';

/** Runs the code of received messages with an executor. */
export interface ExecutorCodeConfig {
  readonly executor: CodeExecutor;
  /** @defaultValue 'auto' */
  readonly lastNMessages?: ScanWindow;
}

/** The options of an {@link ExecutorCodeConfig}. */
export const executorCodeNames: OptionNames<ExecutorCodeConfig> = {
  executor: true,
  lastNMessages: true,
};

/** Runs the newest message that holds code, all its blocks together, and answers with exit code and output. */
export function executorCodeReply({ executor, lastNMessages }: ExecutorCodeConfig): ReplyFunction {
  return async function generateCodeExecutionReplyUsingExecutor(recipient, messages, sender) {
    const history = messages ?? recipient.conversations.with(sender);
    const blocks = newestBlocks(history, lastNMessages).map(named);
    return blocks.length === 0 ? [false, null] : execute(recipient, executor, blocks);
  };
}

/** The code blocks of the newest message that holds some, among those that are searched. */
export function newestBlocks(
  messages: readonly ChatMessage[],
  window: ScanWindow = 'auto',
): CodeBlock[] {
  if (window !== 'auto' && !(Number.isInteger(window) && window >= 0)) {
    throw invalidValue(
      "last_n_messages must be either a non-negative integer, or the string 'auto'.",
    );
  }
  const count = window === 'auto' ? sinceOwnMessage(messages) : Math.min(messages.length, window);
  for (const { content } of messages.slice(messages.length - count).reverse()) {
    const blocks = content ? fencedBlocks(contentText(content)) : [];
    if (blocks.length > 0) return blocks;
  }
  return [];
}

/** The reply that reports a run of code. */
export function codeReply(exitCode: number, output: string): string {
  const outcome = exitCode === 0 ? 'execution succeeded' : 'execution failed';
  return `exitcode: ${exitCode} (${outcome})\nCode output: ${output}`;
}

async function execute(
  agent: ConversableAgent,
  executor: CodeExecutor,
  blocks: CodeBlock[],
): Promise<ReplyResult> {
  const reply = await executed(agent, blocks, (signal) => {
    announce(agent, blocks);
    return executor.executeCodeBlocks(blocks, signal && { signal });
  });
  return [true, reply && codeReply(reply.exitCode, reply.output)];
}

/** Runs code as a step of the agent; `null` when a tap refused it. */
export async function executed(
  agent: ConversableAgent,
  blocks: readonly CodeBlock[],
  run: (signal?: AbortSignal) => CodeResult | Promise<CodeResult>,
): Promise<CodeResult | null> {
  const execution = { kind: 'code-execution', blocks } as const;
  const result = await agent.step(execution, async (signal) => {
    try {
      const { exitCode, output } = await run(signal);
      agent.emit({ ...execution, exitCode, output, error: null });
      return { exitCode, output };
    } catch (error) {
      agent.emit({ ...execution, exitCode: null, output: '', error });
      throw error;
    }
  });
  return result ?? null;
}

function announce(agent: ConversableAgent, blocks: readonly CodeBlock[]): void {
  const languages = blocks.map(({ language }) => language).join(', ');
  const text =
    blocks.length === 1
      ? `\n>>>>>>>> EXECUTING CODE BLOCK (inferred language is ${languages})...`
      : `\n>>>>>>>> EXECUTING ${blocks.length} CODE BLOCKS (inferred languages are [${languages}])...`;
  agent.io.print(coloured('red', text));
}

function sinceOwnMessage(messages: readonly ChatMessage[]): number {
  const own = messages.findLastIndex(({ role }) => role !== 'user');
  return messages.length - 1 - own;
}

function named({ language, code }: CodeBlock): CodeBlock {
  if (language !== '') return { language, code };
  const inferred = inferLanguage(code);
  return { language: inferred === 'unknown' ? '' : inferred, code };
}
