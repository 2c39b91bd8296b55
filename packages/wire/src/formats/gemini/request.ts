import { type Fields, fieldsOf, limitIn, listOf, nameIn, recordsOf } from '../../fields.ts';
import type { Item } from '../../item.ts';
import type { Path } from '../../json-field.ts';
import { ASKED, parametersOf, pathOf } from '../address.ts';
import type { WireRequest } from '../format.ts';
import { isOfModel, itemsOf } from './history.ts';
import { either, spelled } from './names.ts';
import { type Media, mediaIn, saidIn } from './parts.ts';

const SEEN_OR_HEARD = /^(?:image|audio|video)\//;

/** Reads a request; `undefined` for one that holds no history. */
export function readRequest(
  body: Fields,
  url: string,
  model: string | undefined,
): WireRequest | undefined {
  const contents = listOf(body.contents);
  if (contents.length === 0) return undefined;
  const system = listOf(fieldsOf(either(body, 'systemInstruction')).parts).map(saidIn);
  const instructions: Item[] =
    system.length === 0 ? [] : [{ kind: 'text', role: 'system', text: system.join('\n') }];
  const isStreamed = /^stream/i.test(ASKED.exec(pathOf(url))?.[2] ?? '');
  const alt = [...parametersOf(url, 'alt'), ...parametersOf(url, '$alt')];
  return {
    model: model ?? 'unknown',
    items: [...instructions, ...itemsOf(contents)],
    maxOutputTokens: limitIn(either(configOf(body), 'maxOutputTokens')),
    isStreamed,
    isList: isStreamed && !alt.includes('sse'),
    previousId: undefined,
    cache: nameIn(either(body, 'cachedContent')),
  };
}

/** What a request asks for beside its history, in the names of Chat Completions. */
export function beside(body: Fields): Fields {
  const config = configOf(body);
  const { mode } = fieldsOf(either(fieldsOf(either(body, 'toolConfig')), 'functionCallingConfig'));
  const choices: Fields = { NONE: 'none', ANY: 'required' };
  const media = listOf(body.contents).flatMap(({ parts }) => listOf(parts).flatMap(mediaOf));
  return {
    input: media.map(asPart),
    tools: body.tools,
    // A cache may hold functions.
    functions: either(body, 'cachedContent') === undefined ? undefined : [{}],
    tool_choice: choices[nameIn(mode)?.toUpperCase() ?? ''],
    response_format: formOf(config),
    n: either(config, 'candidateCount'),
  };
}

/** Where a body holds the most tokens of its answer. */
export function limitAt(body: Fields): Path {
  return [spelled(body, 'generationConfig'), spelled(configOf(body), 'maxOutputTokens')];
}

export function isForModel(content: Fields): boolean {
  return !isOfModel(content);
}

export function userSays(text: string): object {
  return { role: 'user', parts: [{ text }] };
}

/** The address for a question to a model, which is not streamed. */
export function questionUrl(url: string, model: string | undefined): string {
  const asked = new URL(url);
  asked.searchParams.delete('alt');
  asked.searchParams.delete('$alt');
  asked.pathname = pathOf(asked.pathname).replace(ASKED, (_, name) => {
    return `${model === undefined ? name : encodeURIComponent(model)}:generateContent`;
  });
  return asked.href;
}

/** The body of a question to a model. */
export function question(system: string, user: string): object {
  return { systemInstruction: { parts: [{ text: system }] }, contents: [userSays(user)] };
}

function configOf(body: Fields): Fields {
  return fieldsOf(either(body, 'generationConfig'));
}

/** The form of the answer, if it is JSON or one of several words. */
function formOf(config: Fields): object | undefined {
  const [type, schema, json, formats] = [
    'responseMimeType',
    'responseSchema',
    'responseJsonSchema',
    'responseFormat',
  ].map((name) => either(config, name));
  const isFree = (nameIn(type) ?? 'text/plain') === 'text/plain' && !schema && !json && !formats;
  return isFree ? undefined : { type: 'json_schema', schema: schema ?? json ?? formats };
}

function mediaOf(part: Fields): readonly Media[] {
  const own = mediaIn(part);
  const inResult = fieldsOf(either(part, 'functionResponse')).parts;
  return [own, ...recordsOf(inResult).map(mediaIn)].filter((one) => one !== undefined);
}

/** Data as other APIs have it, by which its tokens are estimated. */
function asPart({ type, data, isInline }: Media): object {
  if (SEEN_OR_HEARD.test(type)) return { type };
  const source = type.startsWith('text/') && isInline ? { type: 'text', data } : { data };
  return { type: 'document', source: isInline ? source : {} };
}
