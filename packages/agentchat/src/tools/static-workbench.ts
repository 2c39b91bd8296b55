import type { ToolSchema } from '@teamfuse/models';
import type { ChatItem } from '../messages/chat-item.ts';
import type { BaseTool, StreamTool, ToolArguments, ToolCallOptions } from './tool.ts';
import { failure, type ToolResult, type Workbench } from './workbench.ts';

/** A workbench of tools that stay the same. */
export class StaticWorkbench implements Workbench {
  readonly tools: readonly BaseTool[];

  constructor(tools: readonly BaseTool[]) {
    this.tools = [...tools];
  }

  async listTools(): Promise<readonly ToolSchema[]> {
    return this.tools.map(({ schema }) => schema);
  }

  async callTool(
    name: string,
    args: ToolArguments,
    options: ToolCallOptions = {},
  ): Promise<ToolResult> {
    const events = this.callToolStream(name, args, options);
    for (;;) {
      const step = await events.next();
      if (step.done === true) return step.value;
    }
  }

  async *callToolStream(
    name: string,
    args: ToolArguments,
    options: ToolCallOptions = {},
  ): AsyncGenerator<ChatItem, ToolResult> {
    const tool = this.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return { name, content: `Tool ${name} not found.`, isError: true };
    try {
      const value = isStreamTool(tool)
        ? yield* tool.runJsonStream(args, options)
        : await tool.runJson(args, options);
      return { name, content: tool.returnValueAsString(value), isError: false };
    } catch (error) {
      return failure(name, error, options.signal);
    }
  }
}

function isStreamTool(tool: BaseTool): tool is StreamTool {
  return 'runJsonStream' in tool && typeof tool.runJsonStream === 'function';
}
