import { ItemTeller, isItem } from '../transcript/agentchat-items.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, recordsOf } from '../transcript/values.ts';
import { type Format, type Named, valueFormat } from './format.ts';

const ESCAPE = String.fromCharCode(27);
/** Colours, with which notebooks store what was printed. */
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');
/** `sender (to recipient):` on a line of its own, before each message of AutoGen 0.2. */
const SPEAKER = /^(.{1,100}) \(to (.{1,100})\):$/;
const RULE = /^-{80}$/;
const STARTED = /^\*{5,} ?Starting a new chat\.{0,4}/;
const TOOL_CALL = /^\*{5} Suggested (?:tool|function) call(?: \((.{0,200})\))?: (.{0,200}) \*{5}$/;
const TOOL_RESULT =
  /^\*{5} Response from calling (?:tool|function)(?: ?\(([^)]{0,200})\)| "?([^"*]{0,200})"?)? \*{5}$/;
/** `---------- TextMessage (writer) ----------` before each item of AutoGen 0.4. */
const ITEM = /^-{10} (?:(\w{1,60}) \()?([^()]{1,100}?)\)? -{10}$/;

/** Notebooks with the stored output of AutoGen runs: each cell is a conversation. */
export const notebook: Format = valueFormat('notebook', 'a notebook', (value, name) => {
  const fields = fieldsOf(value);
  if (fields === undefined || !Array.isArray(fields.cells) || !('nbformat' in fields)) {
    return undefined;
  }
  return recordsOf(fields.cells).flatMap((cell, i): Named[] => {
    const signals = readOutput(outputOf(cell));
    return signals.length > 0 ? [{ id: `${name}#cell${i}`, signals }] : [];
  });
});

function outputOf({ outputs }: Fields): string {
  return recordsOf(outputs)
    .filter(({ output_type: type, name }) => type === 'stream' && name !== 'stderr')
    .map(({ text }) => (Array.isArray(text) ? text.join('') : String(text ?? '')))
    .join('')
    .replace(COLOURS, '');
}

function readOutput(text: string): Named['signals'] {
  const lines = text.split('\n');
  const transcript = new Transcript();
  if (lines.some((line) => SPEAKER.test(line.trimEnd()))) readChat(lines, transcript);
  else if (lines.some((line) => ITEM.test(line.trimEnd()))) readConsole(lines, transcript);
  return transcript.take();
}

/** What AutoGen 0.2 prints: the speaker, the message, and a rule of 80 dashes below. */
function readChat(lines: readonly string[], transcript: Transcript): void {
  let speaker: { from: string; to: string } | undefined;
  let body: string[] = [];
  let isTask = true;
  const end = (): void => {
    if (speaker === undefined) return;
    const { from, to } = speaker;
    transcript.next();
    const message = readTools(body, from, transcript);
    if (isTask) transcript.asked(from, message ?? '', true);
    else if (message !== undefined) transcript.said(from, message, to);
    isTask = false;
    speaker = undefined;
    body = [];
  };
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, from, to] = SPEAKER.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      end();
      speaker = { from, to };
    } else if (RULE.test(line)) end();
    else if (speaker !== undefined && !STARTED.test(line)) body.push(raw);
  }
  end();
}

/** The message without what it says about calls and results; `undefined` if that was all. */
function readTools(
  body: readonly string[],
  agent: string,
  transcript: Transcript,
): string | undefined {
  const text: string[] = [];
  let hasTools = false;
  for (let i = 0; i < body.length; i++) {
    const line = body[i]?.trimEnd() ?? '';
    const call = TOOL_CALL.exec(line);
    const result = TOOL_RESULT.exec(line);
    if (call === null && result === null) {
      text.push(body[i] ?? '');
      continue;
    }
    hasTools = true;
    const end = body.findIndex((other, at) => at > i && /^\*{5,}$/.test(other.trimEnd()));
    const last = end < 0 ? body.length : end;
    const inner = body.slice(i + 1, last).join('\n');
    if (call !== null)
      transcript.called(call[1] ?? call[2] ?? '', agent, call[2] ?? '', argumentsIn(inner));
    else transcript.returned((result?.[1] ?? result?.[2] ?? '').trim(), inner, { agent });
    i = last;
  }
  const message = text.join('\n').trim();
  return hasTools && message === '' ? undefined : message;
}

function argumentsIn(text: string): string {
  return text.replace(/^Arguments:\s*/, '').trim();
}

/** What the console of AutoGen 0.4 prints: a heading with kind and source, and the text of the item. */
function readConsole(lines: readonly string[], transcript: Transcript): void {
  const teller = new ItemTeller(transcript);
  let heading: Fields | undefined;
  let body: string[] = [];
  const end = (): void => {
    const item = { ...heading, content: body.join('\n').trim() };
    if (heading !== undefined && isItem(item) && !/Tool|Code|Select/.test(String(heading.type))) {
      teller.tell(item);
    }
    body = [];
  };
  for (const raw of lines) {
    const [, type, source] = ITEM.exec(raw.trimEnd()) ?? [];
    if (source === undefined) {
      if (!/^\[Prompt tokens: /.test(raw)) body.push(raw);
      continue;
    }
    end();
    heading = source === 'Summary' ? undefined : { type: type ?? 'TextMessage', source };
  }
  end();
}
