import { randomUUID } from 'node:crypto';
import type { RequestUsage } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { knownOptions } from '../base/options.ts';
import { usageFromJson, usageJson, usageToJson } from './usage-json.ts';

/** Constructor fields of all messages and events. */
export interface MessageFields {
  /** The author: the name of a participant, `user`, or the name of a team's manager. */
  readonly source: string;
  /** @defaultValue a random UUID */
  readonly id?: string | undefined;
  /** Usage of the model call it came from. @defaultValue null */
  readonly modelsUsage?: RequestUsage | null | undefined;
  /** @defaultValue \{\} */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** @defaultValue now */
  readonly createdAt?: Date | undefined;
}

const fieldNames: OptionNames<MessageFields> = {
  source: true,
  id: true,
  modelsUsage: true,
  metadata: true,
  createdAt: true,
};

/** Base class of chat messages and events. */
export abstract class BaseMessage {
  /** Identifies the class; also the `type` of the JSON form. */
  abstract readonly type: string;
  readonly id: string;
  readonly source: string;
  readonly modelsUsage: RequestUsage | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: Date;

  constructor(fields: MessageFields) {
    // A class takes its own fields out before, so that what is left over here does not exist.
    const {
      source,
      id = randomUUID(),
      modelsUsage = null,
      metadata = {},
      createdAt = new Date(),
    } = knownOptions('message', fields, fieldNames);
    this.source = source;
    this.id = id;
    this.modelsUsage = modelsUsage;
    this.metadata = metadata;
    this.createdAt = createdAt;
  }

  /** The text people see, and conditions match on. */
  abstract toText(): string;

  /** The fields of the JSON form that only this class has. */
  protected abstract dumpFields(): JsonObject;

  /** The JSON form, with AutoGen's keys in AutoGen's order. */
  dump(): JsonObject {
    return {
      id: this.id,
      source: this.source,
      models_usage: usageToJson(this.modelsUsage),
      metadata: { ...this.metadata },
      created_at: this.createdAt.toISOString(),
      ...this.dumpFields(),
      type: this.type,
    };
  }

  toJSON(): JsonObject {
    return this.dump();
  }
}

/** A message class that a factory can register; every message class of this package is one. */
export interface MessageClass<TMessage extends BaseMessage = BaseMessage> {
  /** The `type` of its messages. */
  readonly type: string;
  /** Makes a message from its JSON form. */
  load(data: unknown): TMessage;
}

/** Schema of the fields every JSON form has. */
export const messageJson: z.ZodObject<{
  id: z.ZodOptional<z.ZodString>;
  source: z.ZodString;
  models_usage: z.ZodOptional<z.ZodNullable<typeof usageJson>>;
  metadata: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
  created_at: z.ZodOptional<z.ZodCoercedDate<string>>;
}> = z.object({
  id: z.string().optional(),
  source: z.string(),
  models_usage: usageJson.nullable().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  created_at: z.coerce.date<string>().optional(),
});

/** Reads the constructor's fields from a checked JSON form. */
export function messageFields(data: z.output<typeof messageJson>): MessageFields {
  return {
    source: data.source,
    id: data.id,
    modelsUsage: usageFromJson(data.models_usage),
    metadata: data.metadata,
    createdAt: data.created_at,
  };
}
