import { ModelClientError } from '../errors.ts';
import { breaths } from './breaths.ts';

/** More than any event holds, pictures included. */
const MAX_EVENT_LENGTH = 4_194_304;

/**
 * The data of the server-sent events in a body, read in linear time.
 *
 * @throws {@link ModelClientError} `BAD_RESPONSE` at an event of more than 4,194,304 characters.
 */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const lines = new Lines();
  let data: string[] = [];
  let length = 0;
  const pause = breaths();
  for await (const chunk of body) {
    for (const line of lines.take(chunk)) {
      if (line.startsWith('data:')) {
        data.push(line.slice(line[5] === ' ' ? 6 : 5));
        length += line.length;
      }
      if (length > MAX_EVENT_LENGTH) throw tooLarge();
      if (line !== '') continue;
      if (data.length > 0) yield data.join('\n');
      data = [];
      length = 0;
      await pause();
    }
    if (length + lines.rest.length > MAX_EVENT_LENGTH) throw tooLarge();
  }
}

/** Splits text into lines, which end in CR, LF or both. */
class Lines {
  readonly #decoder = new TextDecoder();
  #isAfterCr = false;
  /** The line that has not ended. */
  rest = '';

  *take(chunk: Uint8Array): Generator<string> {
    const text = this.#decoder.decode(chunk, { stream: true });
    let start = this.#isAfterCr && text.startsWith('\n') ? 1 : 0;
    if (text !== '') this.#isAfterCr = text.endsWith('\r');
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
      if (index < start) continue;
      const line = this.rest + text.slice(start, index);
      this.rest = '';
      start = index + end.length;
      yield line;
    }
    this.rest += text.slice(start);
  }
}

function tooLarge(): ModelClientError {
  return new ModelClientError(
    'BAD_RESPONSE',
    `the model server's answer is too large: an event of more than ${MAX_EVENT_LENGTH} characters`,
  );
}
