import type { FunctionCall } from '@teamfuse/models';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { functionCallsJson, functionCallToJson } from '../llm-json.ts';
import { functionCallsRepr } from '../llm-repr.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** Constructor fields of {@link ToolCallRequestEvent}. */
export interface ToolCallRequestFields extends MessageFields {
  readonly content: readonly FunctionCall[];
}

const requestJson = messageJson.extend({ content: functionCallsJson });

/** The tool calls of one model reply. */
export class ToolCallRequestEvent extends BaseAgentEvent {
  static readonly type = 'ToolCallRequestEvent';
  readonly type = 'ToolCallRequestEvent';
  readonly content: readonly FunctionCall[];

  constructor({ content, ...fields }: ToolCallRequestFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return functionCallsRepr(this.content);
  }

  protected dumpFields(): JsonObject {
    return { content: this.content.map(functionCallToJson) };
  }

  static load(data: unknown): ToolCallRequestEvent {
    const { content, ...json } = validate(requestJson, data, ToolCallRequestEvent.type);
    return new ToolCallRequestEvent({ ...messageFields(json), content });
  }
}
