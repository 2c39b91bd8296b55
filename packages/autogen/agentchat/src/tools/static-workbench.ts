import type { ToolSchema } from '@teamfuse/models';
import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type Component,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { A_TOOL } from '../component/shapes.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { BaseTool, StreamTool, ToolArguments, ToolCallOptions } from './tool.ts';
import { failure, type ToolResult, type Workbench } from './workbench.ts';

const PROVIDER = 'autogen_core.tools.StaticStreamWorkbench';
const configSchema = z.object({
  tools: z.array(componentJson).default([]),
  tool_overrides: z.record(z.string(), z.unknown()).default({}),
});

/**
 * A workbench with a fixed list of tools.
 *
 * @example
 * ```ts
 * const clock = new FunctionTool({
 *   name: 'clock',
 *   description: 'Tells the time.',
 *   parameters: z.object({}),
 *   func: () => new Date().toISOString(),
 * });
 * const workbench = new StaticWorkbench([clock]);
 * const { isError } = await workbench.callTool('clock', {}); // => false
 * ```
 */
export class StaticWorkbench implements Workbench, Component {
  static readonly component: ComponentClass<StaticWorkbench> = {
    provider: PROVIDER,
    aliases: ['autogen_core.tools.StaticWorkbench'],
    load: (config, loader) => {
      const { tools, tool_overrides } = validate(configSchema, config, 'StaticWorkbenchConfig');
      if (Object.keys(tool_overrides).length > 0) {
        throw new ValueError('tool_overrides must be empty: tools cannot be renamed here.');
      }
      return new StaticWorkbench(tools.map((tool) => loader.load(tool, A_TOOL)));
    },
  };
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

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'workbench' },
      { tools: this.tools.map(dumpOf), tool_overrides: {} },
    );
  }
}

function isStreamTool(tool: BaseTool): tool is StreamTool {
  return 'runJsonStream' in tool && typeof tool.runJsonStream === 'function';
}
