import { ITEM_TYPES, tellItem } from '../transcript/response-items.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format, Recording } from './format.ts';

/** Items of the Responses shape: one a line, an array of them, or whole `response` objects with their `output`. */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'items of the OpenAI Responses API',
  recognise: ({ values }) => values.some((value) => itemsIn(value).some(isItem)),
  async *read({ source, broken, values }): AsyncIterable<Recording> {
    const transcript = new Transcript();
    let isTask = true;
    for await (const batch of values()) {
      for (const { line, value } of batch) {
        const items = itemsIn(value);
        if (items.length === 0) broken(line, `expected ${openaiResponses.title}`);
        tellUsage(value, transcript);
        for (const item of items) {
          transcript.next(item.created_at);
          tellItem(item, transcript, isTask);
          if (item.role === 'user') isTask = false;
        }
      }
      yield { id: source, source, signals: transcript.take(), isOpen: true };
    }
  },
};

function itemsIn(value: unknown): readonly Fields[] {
  const fields = fieldsOf(value);
  if (fields === undefined) return recordsOf(value).filter(isItemOrMessage);
  const { input, output } = fields;
  if (Array.isArray(output)) return [...recordsOf(input), ...recordsOf(output)];
  return isItem(fields) ? [fields] : [];
}

function isItem(fields: Fields): boolean {
  if (fields.type === 'message') return nameIn(fields.role) !== undefined;
  return ITEM_TYPES.has(fields.type);
}

/** A user's turn may stand among items without a type. */
function isItemOrMessage(fields: Fields): boolean {
  return isItem(fields) || (fields.type === undefined && nameIn(fields.role) !== undefined);
}

function tellUsage(value: unknown, transcript: Transcript): void {
  const { usage, model } = fieldsOf(value) ?? {};
  const fields = fieldsOf(usage);
  if (fields === undefined) return;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = fields;
  transcript.used('assistant', { model: nameIn(model), usage, inputTokens, outputTokens });
}
