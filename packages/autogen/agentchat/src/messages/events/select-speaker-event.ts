import { repr } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** Constructor fields of {@link SelectSpeakerEvent}. */
export interface SelectSpeakerFields extends MessageFields {
  readonly content: readonly string[];
}

const selectJson = messageJson.extend({ content: z.array(z.string()) });

/** The next speakers of a team. */
export class SelectSpeakerEvent extends BaseAgentEvent {
  static readonly type = 'SelectSpeakerEvent';
  readonly type = 'SelectSpeakerEvent';
  readonly content: readonly string[];

  constructor({ content, ...fields }: SelectSpeakerFields) {
    super(fields);
    this.content = content;
  }

  toText(): string {
    return repr(this.content);
  }

  protected dumpFields(): JsonObject {
    return { content: [...this.content] };
  }

  static load(data: unknown): SelectSpeakerEvent {
    const { content, ...json } = validate(selectJson, data, SelectSpeakerEvent.type);
    return new SelectSpeakerEvent({ ...messageFields(json), content });
  }
}
