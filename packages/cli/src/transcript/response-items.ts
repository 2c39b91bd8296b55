import { textOf } from './content.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn } from './values.ts';

/** The kinds of Responses items that say something about the conversation. */
export const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'computer_call',
  'computer_call_output',
  'reasoning',
]);

/** Writes down one item of the Responses shape. */
export function tellItem(item: Fields, transcript: Transcript, isPerson: boolean): void {
  const { type, role } = item;
  const id = nameIn(item.call_id, item.id) ?? '';
  const agent = 'assistant';
  if (type === 'function_call' || type === 'custom_tool_call') {
    transcript.called(id, agent, nameIn(item.name) ?? '', item.arguments ?? item.input);
  } else if (type === 'local_shell_call') {
    transcript.called(id, agent, 'shell', item.action ?? null);
  } else if (type === 'computer_call') {
    transcript.called(id, agent, 'computer', item.action ?? item.actions ?? null);
  } else if (type === 'computer_call_output') {
    transcript.returned(id, textOf([item.output]), { isError: false });
  } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    transcript.returned(id, outputOf(item.output), { isError: item.status === 'incomplete' });
  } else if (type === 'message' || (type === undefined && role !== undefined)) {
    if (role === 'system' || role === 'developer') return;
    const text = textOf(item.content);
    if (role === 'user' && isPerson) transcript.asked('user', text);
    else transcript.said(nameIn(role) ?? agent, text);
  }
}

/** What a call gave: text, or parts of text. */
function outputOf(output: unknown): unknown {
  if (Array.isArray(output)) return textOf(output);
  return fieldsOf(output)?.content ?? output ?? '';
}
