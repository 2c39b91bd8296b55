import { type Fields, listOf, nameIn } from '../../fields.ts';
import type { CallItem, Item, ResultItem } from '../../item.ts';
import { OpenCalls } from './open-calls.ts';
import { callIn, mediaIn, type PartCall, type PartResult, resultIn, saidIn } from './parts.ts';

/** The items of a history. What a model thinks is not said. */
export function itemsOf(contents: readonly Fields[]): readonly Item[] {
  const reader = new HistoryReader();
  for (const [at, content] of contents.entries()) {
    reader.add(content, shownIn(contents[at + 1]));
  }
  return reader.items;
}

/** Whether an entry of a history is the model's own. */
export function isOfModel({ role }: Fields): boolean {
  return nameIn(role)?.toLowerCase() === 'model';
}

/** The data in an entry without results, which a harness may show after a result. */
function shownIn(content: Fields | undefined): readonly Fields[] {
  if (content === undefined || isOfModel(content)) return [];
  const parts = listOf(content.parts);
  return parts.some(resultIn) ? [] : parts.filter(mediaIn);
}

/** Reads entry by entry. The calls of an answer may stand in several. */
class HistoryReader {
  readonly #items: Item[] = [];
  /** The pieces of what is being said. */
  #said: string[] = [];
  #isModel = false;
  #open = new OpenCalls();
  #unnamed = 0;

  get items(): readonly Item[] {
    this.#endText();
    return this.#items;
  }

  /** Takes an entry, and the data that the next one shows. */
  add(content: Fields, shownNext: readonly Fields[]): void {
    this.#begin(isOfModel(content));
    const parts = listOf(content.parts).filter((part) => !isThought(part));
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at] as Fields;
      const result = resultIn(part);
      const call = callIn(part);
      if (result !== undefined) {
        const shown = shownAfter(parts, at);
        at += shown.length;
        const isLast = at === parts.length - 1;
        this.#addResult(result, [...shown, ...(isLast ? shownNext : [])]);
      } else if (call !== undefined) {
        this.#addCall(call);
      } else {
        this.#said.push(saidIn(part));
      }
    }
  }

  #begin(isModel: boolean): void {
    this.#endText();
    if (isModel && !this.#isModel) {
      this.#open = new OpenCalls();
      this.#unnamed = 0;
    }
    this.#isModel = isModel;
  }

  #addCall(call: PartCall): void {
    this.#endText();
    const item: CallItem = {
      kind: 'call',
      ...call,
      ...(call.id === '' && { nth: this.#unnamed++ }),
    };
    this.#items.push(item);
    this.#open.add(item);
  }

  #addResult({ id, tool, text, isError }: PartResult, shown: readonly Fields[]): void {
    this.#endText();
    const call = this.#open.take(id, tool);
    const item: ResultItem = {
      kind: 'result',
      id: call?.id ?? id,
      ...(call?.nth !== undefined && { nth: call.nth }),
      text: [text, ...shown.map(saidIn)].filter(Boolean).join('\n'),
      isError,
      tool,
    };
    this.#items.push(item);
  }

  #endText(): void {
    // A model's words may be cut anywhere.
    const text = this.#said.filter(Boolean).join(this.#isModel ? '' : '\n');
    this.#said = [];
    if (text === '') return;
    this.#items.push({ kind: 'text', role: this.#isModel ? 'assistant' : 'user', text });
  }
}

function isThought(part: Fields): boolean {
  return part.thought === true && callIn(part) === undefined;
}

/** The data right after a result, which belongs to it. */
function shownAfter(parts: readonly Fields[], at: number): readonly Fields[] {
  let end = at + 1;
  while (end < parts.length && mediaIn(parts[end] as Fields) !== undefined) end++;
  return parts.slice(at + 1, end);
}
