import type { ChatItem, JsonObject, JsonValue } from '@teamfuse/agentchat';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Turns messages into the form the vectors record them in. */
export class MessageRecorder {
  readonly #places: ReadonlyMap<string, number>;

  /** `items` is the list of the action: chunks name their message by its place there. */
  constructor(items: readonly ChatItem[]) {
    this.#places = new Map(items.map(({ id }, place) => [id, place]));
  }

  message(item: ChatItem): JsonObject {
    const { full_message_id, ...recorded } = normalised(item.dump()) as JsonObject;
    if (full_message_id === undefined) return recorded;
    const place = this.#places.get(String(item.dump().full_message_id));
    const reference = full_message_id === null ? null : `@${place ?? 'none'}`;
    return { ...recorded, full_message_id: reference };
  }

  messages(items: readonly ChatItem[]): readonly JsonObject[] {
    return items.map((item) => this.message(item));
  }
}

/** Leaves out what differs from run to run: ids, times, and metadata where there is none. */
export function normalised(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(UUID, '<uuid>');
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  const isMessage = 'created_at' in value;
  const entries = Object.entries(value).filter(
    ([key, field]) =>
      !(isMessage && (key === 'id' || key === 'created_at')) &&
      !(isMessage && key === 'metadata' && Object.keys(field as JsonObject).length === 0),
  );
  return Object.fromEntries(entries.map(([key, field]) => [key, normalised(field)]));
}
