import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type MessageFields, messageFields, messageJson } from '../base-message.ts';
import { BaseAgentEvent } from './agent-event.ts';

/** Constructor fields of {@link UserInputRequestedEvent}. */
export interface UserInputRequestedFields extends MessageFields {
  readonly requestId: string;
}

const requestedJson = messageJson.extend({ request_id: z.string() });

/** A request for input from a person. */
export class UserInputRequestedEvent extends BaseAgentEvent {
  static readonly type = 'UserInputRequestedEvent';
  readonly type = 'UserInputRequestedEvent';
  readonly requestId: string;
  readonly content = '';

  constructor({ requestId, ...fields }: UserInputRequestedFields) {
    super(fields);
    this.requestId = requestId;
  }

  toText(): string {
    return '';
  }

  protected dumpFields(): JsonObject {
    return { request_id: this.requestId, content: '' };
  }

  static load(data: unknown): UserInputRequestedEvent {
    const { request_id, ...json } = validate(requestedJson, data, UserInputRequestedEvent.type);
    return new UserInputRequestedEvent({ ...messageFields(json), requestId: request_id });
  }
}
