import type { LLMMessage } from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { messageFields, messageJson } from '../base-message.ts';
import { llmMessageJson, llmMessageToJson } from '../llm-json.ts';
import { BaseTextChatMessage, type TextFields } from './chat-message.ts';

/** Constructor fields of {@link HandoffMessage}. */
export interface HandoffFields extends TextFields {
  /** The participant that speaks next. */
  readonly target: string;
  /** Messages for the context of the target's model. @defaultValue [] */
  readonly context?: readonly LLMMessage[] | undefined;
}

const handoffJson = messageJson.extend({
  content: z.string(),
  target: z.string(),
  context: z.array(llmMessageJson).optional(),
});

/** Hands the conversation over to the target. */
export class HandoffMessage extends BaseTextChatMessage {
  static readonly type = 'HandoffMessage';
  readonly type = 'HandoffMessage';
  readonly target: string;
  readonly context: readonly LLMMessage[];

  constructor({ target, context = [], ...fields }: HandoffFields) {
    super(fields);
    this.target = target;
    this.context = context;
  }

  protected override dumpFields(): JsonObject {
    return {
      content: this.content,
      target: this.target,
      context: this.context.map(llmMessageToJson),
    };
  }

  static load(data: unknown): HandoffMessage {
    const { content, target, context, ...json } = validate(handoffJson, data, HandoffMessage.type);
    return new HandoffMessage({ ...messageFields(json), content, target, context });
  }
}
