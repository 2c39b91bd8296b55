import type { FunctionExecutionResult } from '@teamfuse/models';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { functionResultsJson, functionResultToJson } from '../llm-json.ts';
import { functionResultsRepr } from '../llm-repr.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** Constructor fields of {@link ToolCallExecutionEvent}. */
export interface ToolCallExecutionFields extends MessageFields {
  readonly content: readonly FunctionExecutionResult[];
}

const executionJson = messageJson.extend({ content: functionResultsJson });

/** The results of the tool calls of one reply, in call order. */
export class ToolCallExecutionEvent extends BaseAgentEvent {
  static readonly type = 'ToolCallExecutionEvent';
  readonly type = 'ToolCallExecutionEvent';
  readonly content: readonly FunctionExecutionResult[];

  constructor({ content, ...fields }: ToolCallExecutionFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return functionResultsRepr(this.content);
  }

  protected dumpFields(): JsonObject {
    return { content: this.content.map(functionResultToJson) };
  }

  static load(data: unknown): ToolCallExecutionEvent {
    const { content, ...json } = validate(executionJson, data, ToolCallExecutionEvent.type);
    return new ToolCallExecutionEvent({ ...messageFields(json), content });
  }
}
