import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { messageFields, messageJson } from '../base-message.ts';
import type { TextFields } from '../chat/chat-message.ts';
import { BaseTextEvent } from './agent-event.ts';

/** Constructor fields of {@link ModelClientStreamingChunkEvent}. */
export interface StreamingChunkFields extends TextFields {
  /** The id of the message the chunks will make up. @defaultValue null */
  readonly fullMessageId?: string | null | undefined;
}

const chunkJson = messageJson.extend({
  content: z.string(),
  full_message_id: z.string().nullable().optional(),
});

/** A piece of a message that is still being written; never part of a result. */
export class ModelClientStreamingChunkEvent extends BaseTextEvent {
  static readonly type = 'ModelClientStreamingChunkEvent';
  readonly type = 'ModelClientStreamingChunkEvent';
  readonly fullMessageId: string | null;

  constructor({ fullMessageId = null, ...fields }: StreamingChunkFields) {
    super(fields);
    this.fullMessageId = fullMessageId;
  }

  protected override dumpFields(): JsonObject {
    return { content: this.content, full_message_id: this.fullMessageId };
  }

  static load(data: unknown): ModelClientStreamingChunkEvent {
    const { content, full_message_id, ...json } = validate(
      chunkJson,
      data,
      ModelClientStreamingChunkEvent.type,
    );
    const fields = { ...messageFields(json), content, fullMessageId: full_message_id };
    return new ModelClientStreamingChunkEvent(fields);
  }
}
