import type { UserMessage } from '@teamfuse/models';
import { z } from 'zod';
import { formatTemplate } from '../../base/format-template.ts';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import {
  type MessageClass,
  type MessageFields,
  messageFields,
  messageJson,
} from '../base-message.ts';
import { BaseChatMessage } from './chat-message.ts';

/** What a {@link StructuredMessage} can be made with. */
export interface StructuredFields<TContent extends object> extends MessageFields {
  readonly content: TContent;
  /** The name of the kind of content, such as `Report`. */
  readonly contentName: string;
  /** How people and models read the content: `{title}: {score}`. @defaultValue null: as JSON */
  readonly formatString?: string | null | undefined;
}

const structuredJson = messageJson.extend({
  content: z.record(z.string(), z.unknown()),
  format_string: z.string().nullable().optional(),
});

/** Data somebody said, of a kind that has a name. */
export class StructuredMessage<TContent extends object = object> extends BaseChatMessage {
  readonly type: `StructuredMessage[${string}]`;
  readonly content: TContent;
  readonly contentName: string;
  readonly formatString: string | null;

  constructor({
    content,
    contentName,
    formatString = null,
    ...fields
  }: StructuredFields<TContent>) {
    super(fields);
    this.type = `StructuredMessage[${contentName}]`;
    this.content = content;
    this.contentName = contentName;
    this.formatString = formatString;
  }

  toText(): string {
    if (this.formatString === null) return JSON.stringify(this.content);
    return formatTemplate(this.formatString, Object.fromEntries(Object.entries(this.content)));
  }

  toModelText(): string {
    return this.toText();
  }

  toModelMessage(): UserMessage {
    return { type: 'UserMessage', content: JSON.stringify(this.content), source: this.source };
  }

  protected dumpFields(): JsonObject {
    return {
      // Whatever the content holds, it leaves as the JSON that models and people get to see.
      content: JSON.parse(JSON.stringify(this.content)) as JsonObject,
      format_string: this.formatString,
    };
  }
}

/** Whether a message type is that of structured messages with some kind of content. */
export function isStructuredType(type: string): boolean {
  return type.startsWith('StructuredMessage[');
}

/**
 * The message class of structured messages with one kind of content, to be listed where classes are registered.
 *
 * JavaScript has no generic classes at run time, so the name of the content tells them apart.
 * `parse` checks the content of messages that are loaded.
 *
 * @example
 * ```ts
 * const team = new RoundRobinGroupChat([writer], { customMessageTypes: [structuredMessageClass('Report')] });
 * ```
 */
export function structuredMessageClass<TContent extends object = object>(
  contentName: string,
  parse: (content: Readonly<Record<string, unknown>>) => TContent = (content) =>
    content as TContent,
): MessageClass<StructuredMessage<TContent>> {
  const type = `StructuredMessage[${contentName}]`;
  return {
    type,
    load(data) {
      const { content, format_string, ...json } = validate(structuredJson, data, type);
      return new StructuredMessage({
        ...messageFields(json),
        content: parse(content),
        contentName,
        formatString: format_string,
      });
    },
  };
}
