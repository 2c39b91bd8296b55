import type { CodeExecutor, CodeResult } from '@teamfuse/code-executors';
import { type ModelInfo, ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { z } from 'zod';
import { isResponse, type Response } from '../../src/base/response.ts';
import { isTaskResult, type TaskResult } from '../../src/base/task-result.ts';
import type { ChatItem } from '../../src/messages/chat-item.ts';
import { FunctionTool } from '../../src/tools/function-tool.ts';
import type { BaseTool, ToolCallOptions } from '../../src/tools/tool.ts';

/** A model that can do everything. */
export const ABLE: ModelInfo = {
  vision: true,
  functionCalling: true,
  jsonOutput: true,
  structuredOutput: true,
  family: 'gpt-4o',
  multipleSystemMessages: true,
};

export function replay(...replies: Reply[]): ReplayChatCompletionClient {
  return new ReplayChatCompletionClient(replies, { modelInfo: ABLE });
}

/** A reply that asks for tools: `calls('add {"a":1}', 'transfer_to_bob')`. */
export function calls(...requests: string[]): Reply {
  return {
    content: requests.map((request, index) => {
      const [name = '', ...args] = request.split(' ');
      return { id: String(index + 1), name, arguments: args.join(' ') || '{}' };
    }),
    usage: { promptTokens: 5, completionTokens: 3 },
  };
}

/** A tool without parameters. */
export function tool(
  name: string,
  func: (args: object, options: ToolCallOptions) => unknown,
): BaseTool {
  return new FunctionTool({ name, description: name, parameters: z.object({}), func });
}

/** An executor that gives these results in turn, and keeps the code it was given. */
export function scriptedExecutor(...results: CodeResult[]): CodeExecutor & { ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    async executeCodeBlocks(blocks) {
      ran.push(blocks.map(({ code }) => code.trim()).join(';'));
      return results[ran.length - 1] ?? { exitCode: 0, output: '' };
    },
  };
}

/** Collects the items of a stream, and its last one. */
export async function collect(
  stream: AsyncIterable<ChatItem | TaskResult | Response>,
): Promise<{ items: ChatItem[]; end: TaskResult | Response | undefined }> {
  const items: ChatItem[] = [];
  let end: TaskResult | Response | undefined;
  for await (const item of stream) {
    if (isTaskResult(item) || isResponse(item)) end = item;
    else items.push(item);
  }
  return { items, end };
}

/** One line an item: `TextMessage(alice): hello`. */
export function lines(items: readonly ChatItem[]): string[] {
  return items.map((item) => `${item.type}(${item.source}): ${item.toText()}`);
}
