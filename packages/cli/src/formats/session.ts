import { tellMessage } from '../transcript/chat-messages.ts';
import { textOf } from '../transcript/content.ts';
import { ITEM_TYPES, tellItem } from '../transcript/response-items.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format } from './format.ts';

const SPEAKERS: readonly unknown[] = ['user', 'assistant'];
const MAX_SESSIONS = 1000;

/** What is known of a session so far. */
class Session {
  readonly transcript: Transcript = new Transcript();
  /** The model that its items do not name. */
  model: string | undefined;
  /** What all its calls had taken when it was last told. */
  total: string | undefined;
}

/**
 * Session files of coding agents: a line for each step, either `{ type, message, sessionId }` with content blocks or
 * `{ type, payload }` with an item of the Responses shape. Lines about anything else are left out.
 */
export const session: Format = {
  id: 'session',
  title: 'a session of a coding agent',
  recognise: ({ values }) => values.some((value) => isStep(value) || isPayload(value)),
  async *read({ source, values }) {
    const sessions = new Map<string, Session>();
    let id = source;
    for await (const batch of values()) {
      for (const { value } of batch) {
        const entry = fieldsOf(value);
        if (entry === undefined) continue;
        id = idIn(entry) ?? id;
        const session = sessions.get(id) ?? new Session();
        sessions.delete(id);
        sessions.set(id, session);
        tell(entry, session);
      }
      for (const [id, { transcript }] of sessions) {
        const signals = transcript.take();
        if (signals.length > 0) yield { id, source, signals, isOpen: true };
      }
      for (const id of [...sessions.keys()].slice(0, -MAX_SESSIONS)) sessions.delete(id);
    }
  },
};

/** What a helper does stands in the file of the session that started it: a conversation of its own. */
function idIn(entry: Fields): string | undefined {
  const id = nameIn(entry.sessionId, entry.session_id);
  if (id !== undefined) return entry.isSidechain === true ? `${id}#side` : id;
  if (entry.type === 'session_meta') return nameIn(fieldsOf(entry.payload)?.id);
  return undefined;
}

function tell(entry: Fields, session: Session): void {
  const { transcript } = session;
  const payload = fieldsOf(entry.payload);
  if (entry.type === 'response_item' && payload !== undefined) {
    transcript.next(entry.timestamp);
    tellItem(payload, transcript, true);
    return;
  }
  if (payload !== undefined) tellCall(entry, payload, session);
  const message = fieldsOf(entry.message);
  if (!isStep(entry) || message === undefined) return;
  const { timestamp } = entry;
  if (message.role === 'user' && !hasResults(message)) {
    transcript.next(timestamp);
    transcript.asked('user', textOf(message.content), entry.isMeta === true);
    return;
  }
  // A line holds one block of an answer, and repeats what the answer took.
  tellMessage({ ...message, timestamp, requestId: message.id }, transcript, false);
}

/** What a session of items says beside them: the model that it goes on with, and what its latest call took. */
function tellCall({ type, timestamp }: Fields, payload: Fields, session: Session): void {
  if (type === 'turn_context') session.model = nameIn(payload.model) ?? session.model;
  if (type !== 'event_msg' || payload.type !== 'token_count') return;
  const { last_token_usage: usage, total_token_usage } = fieldsOf(payload.info) ?? {};
  const total = JSON.stringify(total_token_usage);
  // It is told again when something else changes.
  if (usage === undefined || total === session.total) return;
  session.total = total;
  session.transcript.next(timestamp);
  session.transcript.used('assistant', { model: session.model, usage });
}

function isStep(value: unknown): boolean {
  const { type, message } = fieldsOf(value) ?? {};
  const fields = fieldsOf(message);
  return (
    SPEAKERS.includes(type) && SPEAKERS.includes(fields?.role) && fields?.content !== undefined
  );
}

function isPayload(value: unknown): boolean {
  const { type, payload } = fieldsOf(value) ?? {};
  if (type === 'session_meta') return fieldsOf(payload) !== undefined;
  return type === 'response_item' && ITEM_TYPES.has(fieldsOf(payload)?.type);
}

function hasResults({ content }: Fields): boolean {
  return recordsOf(content).some(({ type }) => type === 'tool_result');
}
