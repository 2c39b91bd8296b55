import { BoundedMap } from '../../common/bounded-map.ts';
import { type Repeated, StreamRepeats } from './stream-repeats.ts';

/**
 * What a piece of an answer belongs to: what is said, what is thought, or the arguments of a call. With a name behind it, one of several.
 */
export type StreamedPart = PartKind | `${PartKind} ${string}`;
type PartKind = 'text' | 'thought' | 'arguments';

const MAX_PARTS = 8;

/** Notices when a part of an answer has come to repeat itself. Of many parts, the latest are remembered. */
export class AnswerRepeats {
  readonly #limit: number;
  readonly #parts: BoundedMap<StreamedPart, StreamRepeats> = new BoundedMap(MAX_PARTS);

  /** `limit`: how often a text has to come. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes the next piece. Returns what is repeated, once that is certain. */
  add(piece: string, part: StreamedPart): Repeated | undefined {
    const isData = part.startsWith('arguments');
    const repeats = this.#parts.get(part) ?? new StreamRepeats(this.#limit, isData);
    this.#parts.set(part, repeats);
    return repeats.add(piece);
  }
}
