import { textOf } from './content.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from './values.ts';

/** Roles of messages from outside the team. */
const INSTRUCTIONS: readonly unknown[] = ['system', 'developer'];

/**
 * Writes down one message of the chat-completions shape: of OpenAI, of AutoGen 0.2, or with the content blocks of other
 * providers.
 */
export function tellMessage(message: Fields, transcript: Transcript, isTask: boolean): void {
  const { role, content } = message;
  if (INSTRUCTIONS.includes(role)) return;
  const agent = nameIn(message.name, role) ?? 'assistant';
  transcript.next(message.timestamp);
  tellUsage(message, agent, transcript);
  tellCalls(message, agent, transcript);
  if (tellResults(message, agent, transcript)) return;
  const text = textOf(Array.isArray(content) ? content.filter(isSaid) : content);
  if (isTask) transcript.asked(agent, text, true);
  else if (text !== '' || !hasCalls(message)) transcript.said(agent, text);
}

function tellUsage(
  { requestId, usage, model }: Fields,
  agent: string,
  transcript: Transcript,
): void {
  const fields = fieldsOf(usage);
  if (fields === undefined) return;
  transcript.used(agent, {
    model: nameIn(model),
    requestId: nameIn(requestId),
    usage,
    inputTokens: fields.prompt_tokens ?? fields.input_tokens,
    outputTokens: fields.completion_tokens ?? fields.output_tokens,
    costUsd: fields.cost,
  });
}

function tellCalls(message: Fields, agent: string, transcript: Transcript): void {
  for (const call of callsIn(message)) {
    const { name, arguments: args, input } = { ...call, ...fieldsOf(call.function) } as Fields;
    transcript.called(nameIn(call.id) ?? '', agent, nameIn(name) ?? '', args ?? input);
  }
}

function callsIn({ tool_calls, function_call, content }: Fields): readonly Fields[] {
  const blocks = recordsOf(content).filter(({ type }) => type === 'tool_use');
  const single = fieldsOf(function_call);
  return [...recordsOf(tool_calls), ...blocks, ...(single ? [single] : [])];
}

function hasCalls(message: Fields): boolean {
  return callsIn(message).length > 0;
}

/** Whether the message brings nothing but results. */
function tellResults(message: Fields, agent: string, transcript: Transcript): boolean {
  const { role, content, tool_responses: responses } = message;
  const several = recordsOf(responses);
  for (const response of several) {
    const id = nameIn(response.tool_call_id) ?? '';
    transcript.returned(id, response.content, { isError: isError(response) });
  }
  const blocks = recordsOf(content).filter(({ type }) => type === 'tool_result');
  for (const block of blocks) {
    const result = textOf(block.content);
    transcript.returned(nameIn(block.tool_use_id) ?? '', result, {
      isError: block.is_error === true,
    });
  }
  if (several.length > 0) return true;
  if (role === 'tool' || role === 'function') {
    const id = nameIn(message.tool_call_id) ?? '';
    const known = { agent, tool: nameIn(message.name) ?? 'unknown' };
    transcript.returned(id, textOf(content), { ...known, isError: isError(message) });
    return true;
  }
  return blocks.length > 0 && !recordsOf(content).some(isSaid);
}

function isError({ content, is_error: flag }: Fields): boolean {
  return flag === true || (typeof content === 'string' && content.startsWith('Error: '));
}

/** Whether a part of a message's content is something said, rather than thought, called or returned. */
function isSaid(part: unknown): boolean {
  const type = fieldsOf(part)?.type;
  return (
    typeof part === 'string' || type === 'text' || type === 'input_text' || type === 'output_text'
  );
}
