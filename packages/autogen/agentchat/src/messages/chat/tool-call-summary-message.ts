import type { FunctionCall, FunctionExecutionResult } from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { messageFields, messageJson } from '../base-message.ts';
import {
  functionCallsJson,
  functionCallToJson,
  functionResultsJson,
  functionResultToJson,
} from '../llm-json.ts';
import { BaseTextChatMessage, type TextFields } from './chat-message.ts';

/** Constructor fields of {@link ToolCallSummaryMessage}. */
export interface ToolCallSummaryFields extends TextFields {
  readonly toolCalls: readonly FunctionCall[];
  readonly results: readonly FunctionExecutionResult[];
}

const summaryJson = messageJson.extend({
  content: z.string(),
  tool_calls: functionCallsJson,
  results: functionResultsJson,
});

/** The text for tool results that no model call has summed up. */
export class ToolCallSummaryMessage extends BaseTextChatMessage {
  static readonly type = 'ToolCallSummaryMessage';
  readonly type = 'ToolCallSummaryMessage';
  readonly toolCalls: readonly FunctionCall[];
  readonly results: readonly FunctionExecutionResult[];

  constructor({ toolCalls, results, ...fields }: ToolCallSummaryFields) {
    super(fields);
    this.toolCalls = toolCalls;
    this.results = results;
  }

  protected override dumpFields(): JsonObject {
    return {
      content: this.content,
      tool_calls: this.toolCalls.map(functionCallToJson),
      results: this.results.map(functionResultToJson),
    };
  }

  static load(data: unknown): ToolCallSummaryMessage {
    const { content, tool_calls, results, ...json } = validate(
      summaryJson,
      data,
      ToolCallSummaryMessage.type,
    );
    const fields = { ...messageFields(json), content, toolCalls: tool_calls, results };
    return new ToolCallSummaryMessage(fields);
  }
}
