import type { FunctionCall } from '@teamfuse/models';
import { formatTemplate } from '../../base/format-template.ts';
import { ToolCallSummaryMessage } from '../../messages/chat/tool-call-summary-message.ts';
import type { ExecutedCall } from './executed-call.ts';
import type { AssistantParts } from './parts.ts';
import type { SummaryFormatter } from './summary-formatter.ts';

/** The message that reports the last round of tools when the model does not reflect. */
export function summaryMessage(
  executed: readonly ExecutedCall[],
  { name, handoffs, toolCallSummaryFormat, toolCallSummaryFormatter }: AssistantParts,
): ToolCallSummaryMessage {
  const format: SummaryFormatter =
    toolCallSummaryFormatter ??
    ((call, result) =>
      formatTemplate(toolCallSummaryFormat, {
        tool_name: call.name,
        arguments: call.arguments,
        result: result.content,
        is_error: result.isError ?? null,
      }));
  const isHandoff = (call: FunctionCall) => handoffs.some(({ name }) => name === call.name);
  const plain = executed.filter(({ call }) => !isHandoff(call));
  return new ToolCallSummaryMessage({
    content: plain.map(({ call, result }) => format(call, result)).join('\n'),
    source: name,
    toolCalls: plain.map(({ call }) => call),
    results: plain.map(({ result }) => result),
  });
}
