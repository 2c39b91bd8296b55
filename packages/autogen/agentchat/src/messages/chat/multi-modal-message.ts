import type { ImagePart, UserMessage } from '@teamfuse/models';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { partsJson, partToJson } from '../llm-json.ts';
import { BaseChatMessage } from './chat-message.ts';

/** Constructor fields of {@link MultiModalMessage}. */
export interface MultiModalFields extends MessageFields {
  readonly content: readonly (string | ImagePart)[];
}

const multiModalJson = messageJson.extend({ content: partsJson });

/** A message with texts and images. */
export class MultiModalMessage extends BaseChatMessage {
  static readonly type = 'MultiModalMessage';
  readonly type = 'MultiModalMessage';
  readonly content: readonly (string | ImagePart)[];

  constructor({ content, ...fields }: MultiModalFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return this.content.map((part) => (typeof part === 'string' ? part : '<image>')).join('\n');
  }

  /** `imagePlaceholder` replaces each image; `null` inserts the image itself, as base64. */
  toModelText(imagePlaceholder: string | null = '[image]'): string {
    return this.content
      .map((part) => (typeof part === 'string' ? part : ` ${imagePlaceholder ?? part.data}`))
      .join('');
  }

  toModelMessage(): UserMessage {
    return { type: 'UserMessage', content: this.content, source: this.source };
  }

  protected dumpFields(): JsonObject {
    return { content: this.content.map(partToJson) };
  }

  static load(data: unknown): MultiModalMessage {
    const { content, ...json } = validate(multiModalJson, data, MultiModalMessage.type);
    return new MultiModalMessage({ ...messageFields(json), content });
  }
}
