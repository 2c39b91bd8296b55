import { TextReader } from '../../../src/detection/text/reader/text-reader.ts';

/** A reader that has read `text`. */
export function reading(text: string): TextReader {
  const reader = new TextReader();
  reader.read(text);
  return reader;
}

const NAMES = ['plain', 'word', 'half', 'name', 'digit', 'number', 'volatile'];

/** The types of the tokens in `text`, as words. */
export function typesIn(text: string, keepsIds = false): string {
  const reader = new TextReader();
  reader.read(text, keepsIds);
  return [...reader.types.slice(0, reader.count)].map((type) => NAMES[type]).join(' ');
}
