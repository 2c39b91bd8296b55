import { countIn, type Fields, fieldsOf, nameIn, recordsOf } from '../../fields.ts';
import type { AnswerReader, WireAnswer } from '../format.ts';
import { isBlocked, readAnswer } from './answer.ts';
import { either } from './names.ts';

/** The beginning of a path to an argument. */
const ROOT = /^\$\.?/;

/** Puts an answer together from chunks, each of which is an answer with what is new. */
export class ChunkReader implements AnswerReader {
  readonly #candidates: Fields[][] = [];
  /** What the answer says beside its candidates. */
  #about: Fields = {};
  #usage: Fields = {};
  #searches: unknown;
  readonly #pieces: string[] = [];
  #isComplete = false;

  add(chunk: Fields): void {
    const { candidates, usageMetadata, ...about } = chunk;
    this.#about = { ...this.#about, ...about };
    this.#usage = { ...this.#usage, ...fieldsOf(usageMetadata) };
    if (isBlocked(chunk)) this.#isComplete = true;
    for (const { index, content, finishReason, groundingMetadata } of recordsOf(candidates)) {
      const at = countIn(index) ?? 0;
      this.#searches = groundingMetadata ?? this.#searches;
      const parts = this.#candidates[at] ?? [];
      this.#candidates[at] = parts;
      const added = recordsOf(fieldsOf(content).parts);
      for (const part of added) join(parts, part);
      if (at === 0) this.#addPiece(added);
      if (at === 0 && nameIn(finishReason) !== undefined) this.#isComplete = true;
    }
  }

  #addPiece(parts: readonly Fields[]): void {
    const said = parts.filter(({ thought }) => thought !== true);
    const piece = said.map(({ text }) => nameIn(text) ?? '').join('');
    if (piece !== '') this.#pieces.push(piece);
  }

  get answer(): WireAnswer {
    const candidates = Object.values(this.#candidates).map((parts, at) => ({
      content: { parts },
      ...(at === 0 && { groundingMetadata: this.#searches }),
    }));
    const body = { ...this.#about, candidates, usageMetadata: this.#usage };
    return { ...readAnswer(body), pieces: this.#pieces, isComplete: this.#isComplete };
  }
}

/** Adds a part, which may go on with the latest one. */
function join(parts: Fields[], part: Fields): void {
  const last = parts.at(-1) ?? {};
  const isText = typeof part.text === 'string' && typeof last.text === 'string';
  if (isText && Boolean(last.thought) === Boolean(part.thought)) {
    parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` };
    return;
  }
  const [begun, more] = [last, part].map((one) => fieldsOf(either(one, 'functionCall')));
  if (begun?.willContinue === true && more?.name === undefined) {
    parts[parts.length - 1] = { ...last, functionCall: continued(begun, more ?? {}) };
  } else {
    const call = either(part, 'functionCall');
    const isBegun = fieldsOf(call).willContinue === true;
    parts.push(isBegun ? { ...part, functionCall: continued({}, fieldsOf(call)) } : part);
  }
}

/** A call whose arguments come in pieces. */
function continued(begun: Fields, more: Fields): Fields {
  const args: Record<string, unknown> = { ...fieldsOf(begun.args) };
  for (const { jsonPath, stringValue, numberValue, boolValue } of recordsOf(more.partialArgs)) {
    const name = String(jsonPath).replace(ROOT, '');
    const before = args[name];
    const isText = typeof stringValue === 'string';
    args[name] = isText
      ? `${typeof before === 'string' ? before : ''}${stringValue}`
      : (numberValue ?? boolValue ?? null);
  }
  return { ...begun, ...more, args, willContinue: more.willContinue === true };
}
