import { recordRepr } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** A memory entry as part of an event. */
export interface RecalledContent {
  readonly content: string;
  /** @defaultValue 'text/plain' */
  readonly mimeType?: string | undefined;
  /** @defaultValue null */
  readonly metadata?: JsonObject | null | undefined;
}

/** Constructor fields of {@link MemoryQueryEvent}. */
export interface MemoryQueryFields extends MessageFields {
  readonly content: readonly RecalledContent[];
}

const recalled = z.object({
  content: z.string(),
  mime_type: z.string(),
  metadata: z.record(z.string(), z.json()).nullable().optional(),
});
const memoryJson = messageJson.extend({ content: z.array(recalled) });

/** The entries a memory added before a model call. */
export class MemoryQueryEvent extends BaseAgentEvent {
  static readonly type = 'MemoryQueryEvent';
  readonly type = 'MemoryQueryEvent';
  readonly content: readonly RecalledContent[];

  constructor({ content, ...fields }: MemoryQueryFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    const texts = this.content.map(({ content, mimeType = 'text/plain', metadata = null }) =>
      recordRepr('MemoryContent', { content, mime_type: mimeType, metadata }),
    );
    return `[${texts.join(', ')}]`;
  }

  protected dumpFields(): JsonObject {
    return {
      content: this.content.map(({ content, mimeType = 'text/plain', metadata = null }) => ({
        content,
        mime_type: mimeType,
        metadata,
      })),
    };
  }

  static load(data: unknown): MemoryQueryEvent {
    const { content, ...json } = validate(memoryJson, data, MemoryQueryEvent.type);
    return new MemoryQueryEvent({
      ...messageFields(json),
      content: content.map(({ mime_type, ...rest }) => ({ ...rest, mimeType: mime_type })),
    });
  }
}
