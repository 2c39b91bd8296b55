import { partMark } from '@teamfuse/core/kit';
import { type Fields, fieldsOf, listOf, nameIn } from '../../fields.ts';
import { either } from './names.ts';

/** Data in a part: a picture, sound or a document. */
export interface Media {
  readonly type: string;
  /** In base64, or where it lies. */
  readonly data: string;
  readonly isInline: boolean;
}

/** The data that a part holds, if any. */
export function mediaIn(part: Fields): Media | undefined {
  const inline = fieldsOf(either(part, 'inlineData'));
  const data = nameIn(inline.data);
  const file = fieldsOf(either(part, 'fileData'));
  const uri = nameIn(either(file, 'fileUri'));
  if (data === undefined && uri === undefined) return undefined;
  const type = nameIn(either(data === undefined ? file : inline, 'mimeType')) ?? 'file';
  return { type, data: data ?? uri ?? '', isInline: data !== undefined };
}

/** What a part says: its text, or a mark for its data. */
export function saidIn(part: Fields): string {
  const media = mediaIn(part);
  return media === undefined
    ? (nameIn(part.text) ?? '')
    : partMark({ type: media.type, data: media.data });
}

/** A call in a part: of a function, or of a tool of the server's own. */
export interface PartCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

export function callIn(part: Fields): PartCall | undefined {
  const code = either(part, 'executableCode');
  if (code !== undefined) return { id: idIn(code), tool: CODE, args: withoutId(code) };
  const call = fieldsOf(either(part, 'functionCall') ?? either(part, 'toolCall'));
  const tool = nameIn(call.name, either(call, 'toolType'));
  return tool === undefined ? undefined : { id: idIn(call), tool, args: call.args ?? null };
}

/** What came of a call, in a part. */
export interface PartResult {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

export function resultIn(part: Fields): PartResult | undefined {
  const ran = either(part, 'codeExecutionResult');
  if (ran !== undefined) {
    const { outcome, output } = fieldsOf(ran);
    const isError = outcome !== undefined && outcome !== 'OUTCOME_OK';
    return { id: idIn(ran), tool: CODE, text: textIn(output ?? ''), isError };
  }
  const given = either(part, 'functionResponse') ?? either(part, 'toolResponse');
  if (given === undefined) return undefined;
  const result = fieldsOf(given);
  const tool = nameIn(result.name, either(result, 'toolType')) ?? 'unknown';
  const { text, isError } = outcomeOf(result.response);
  const shown = listOf(result.parts).map(saidIn);
  return { id: idIn(result), tool, text: [text, ...shown].filter(Boolean).join('\n'), isError };
}

const CODE = 'code_execution';

/** By convention `output` or `result` holds what came of a call, or else `error` what went wrong; without them, all does. */
function outcomeOf(response: unknown): Pick<PartResult, 'text' | 'isError'> {
  const { output, result, error, ...more } = fieldsOf(response);
  const isError = Boolean(error) && output === undefined && result === undefined;
  const isAlone = Object.keys(more).length === 0 && (output === undefined || result === undefined);
  const isTold = isAlone && (isError || error === undefined);
  const told = isTold ? (error ?? output ?? result) : undefined;
  return { text: textIn(told ?? response ?? ''), isError };
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function idIn(value: unknown): string {
  return nameIn(fieldsOf(value).id) ?? '';
}

function withoutId(value: unknown): Fields {
  const { id: _, ...rest } = fieldsOf(value);
  return rest;
}
