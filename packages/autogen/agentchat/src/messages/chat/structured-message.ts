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

/** Constructor fields of {@link StructuredMessage}. */
export interface StructuredFields<TContent extends object> extends MessageFields {
  readonly content: TContent;
  /** The name of the kind of content, such as `Report`. */
  readonly contentName: string;
  /** Format of the content for people and models, for example `{title}: {score}`. @defaultValue null: as JSON */
  readonly formatString?: string | null | undefined;
}

const structuredJson = messageJson.extend({
  content: z.record(z.string(), z.unknown()),
  format_string: z.string().nullable().optional(),
});

/** Data of a named kind. */
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
      // The dump contains the content as the JSON that models and people see.
      content: JSON.parse(JSON.stringify(this.content)) as JsonObject,
      format_string: this.formatString,
    };
  }
}

/** Whether a message type belongs to structured messages. */
export function isStructuredType(type: string): boolean {
  return type.startsWith('StructuredMessage[');
}

/**
 * The message class of structured messages with one kind of content, for registration.
 *
 * JavaScript has no generic classes at run time, so each class is identified by the name of its content.
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
