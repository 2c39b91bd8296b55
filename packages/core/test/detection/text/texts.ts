import { TextReader } from '../../../src/detection/text/reader/text-reader.ts';

/** A reader that has read `text`. */
export function reading(text: string): TextReader {
  const reader = new TextReader();
  reader.read(text);
  return reader;
}
