import type { JsonValue } from '../../json.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredNumber, restoredRecord, restoredText } from '../restored.ts';
import type { News } from './news.ts';
import type { TextReader } from './text-reader.ts';
import { NUMBER } from './token.ts';

const MAX_TEMPLATES = 64;
const MAX_NUMBERS = 16;

/**
 * Learns which templates carry figures that mean something: somebody else takes them up.
 *
 * A time stamp or a nonce changes from message to message like an amount does, but nobody answers it.
 */
export class Uptake {
  readonly #meant: RecentMap<number, true> = new RecentMap(MAX_TEMPLATES);
  #author = '';
  #template = 0;
  #numbers: number[] = [];

  /** Notes what was read of a message, and says whether the figures of its template are known to mean something. */
  observe(author: string, template: number, reader: TextReader, news: News): boolean {
    const { terms, types, count, numbers } = reader;
    const fresh: number[] = [];
    let isTakenUp = false;
    for (let i = 0; numbers.length > 0 && i < count && fresh.length < MAX_NUMBERS; i++) {
      if (types[i] !== NUMBER) continue;
      const number = terms[i] as number;
      if (news.isNew[i] === 1) fresh.push(number);
      else if (author !== this.#author && this.#numbers.includes(number)) isTakenUp = true;
    }
    if (isTakenUp) {
      this.#meant.set(this.#template, true);
      this.#meant.set(template, true);
    }
    this.#author = author;
    this.#template = template;
    this.#numbers = fresh;
    return numbers.length > 0 && this.#meant.get(template) === true;
  }

  clear(): void {
    this.#meant.clear();
    this.#author = '';
    this.#template = 0;
    this.#numbers = [];
  }

  snapshot(): JsonValue {
    return {
      meant: this.#meant.entries().map(([template]) => template),
      author: this.#author,
      template: this.#template,
      numbers: [...this.#numbers],
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const state = restoredRecord(path, snapshot);
    this.#meant.clear();
    for (const template of restoredList(`${path}.meant`, state.meant)) {
      this.#meant.set(restoredNumber(`${path}.meant`, template), true);
    }
    this.#author = restoredText(`${path}.author`, state.author);
    this.#template = restoredNumber(`${path}.template`, state.template);
    this.#numbers = restoredList(`${path}.numbers`, state.numbers).map((number) =>
      restoredNumber(`${path}.numbers`, number),
    );
  }
}
