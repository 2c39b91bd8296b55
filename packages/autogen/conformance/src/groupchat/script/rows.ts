import { type ChatMessage, contentText } from '@teamfuse/groupchat';
import type { Json } from '../../harness/json.ts';

/** A stored message the way vectors write it: role, name, content, and the other keys if there are any. */
export function row(message: ChatMessage): Json {
  const { role = null, name = null, content = null, ...others } = message;
  const extra = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  );
  const basics = [role, name, content as Json];
  return (Object.keys(extra).length > 0 ? [...basics, extra as Json] : basics) as Json;
}

/** The text of a message as templates of a case see it. */
export function messageText(message: ChatMessage | undefined): string {
  const content = message?.content;
  return typeof content === 'function' ? '' : contentText(content ?? '');
}

/** Fills `{key}` in a template of a case. */
export function fill(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (found, key: string) =>
    key in values ? String(values[key]) : found,
  );
}
