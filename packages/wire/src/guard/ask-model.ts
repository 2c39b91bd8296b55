import { fieldsOf } from '../fields.ts';
import type { AskedModel } from '../formats/format.ts';
import { formatOf } from '../formats/index.ts';

/** What a model answered to a question. */
export interface ModelReply {
  readonly text: string;
  /** As the API reports it, for `readUsage`. */
  readonly usage: unknown;
}

/** How a question is sent. */
export interface AskOptions {
  /** Where requests of the conversation go, by which the API is known. */
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** Asks a model something over the API that a conversation uses, past all guards. */
export async function askModel(
  send: typeof fetch,
  { url, headers, signal }: AskOptions,
  asked: AskedModel,
): Promise<ModelReply> {
  const format = formatOf(url);
  if (format === undefined) throw new TypeError('the address is none of a model');
  const own = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) own.delete(name);
  own.set('content-type', 'application/json');
  const body = JSON.stringify(format.question(asked));
  const address = format.questionUrl?.(url, asked.model) ?? url;
  const response = await send(address, { method: 'POST', headers: own, body, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the upstream answered the judge's question with status ${response.status}`);
  }
  const { items, usage } = format.readAnswer(fieldsOf(await response.json()));
  return { text: items.map((item) => (item.kind === 'text' ? item.text : '')).join(''), usage };
}
