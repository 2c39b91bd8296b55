import type { StreamedPart } from '@teamfuse/core/kit';
import { nameIn } from '../fields.ts';
import type { Piece } from './format.ts';

/** A piece of a part, if one of the values has any text. */
export function pieceOf(part: StreamedPart, ...values: readonly unknown[]): readonly Piece[] {
  const text = nameIn(...values);
  return text === undefined ? [] : [{ text, part }];
}
