import type { SameValue } from './difference.ts';
import type { Json } from './json.ts';
import type { Rule } from './rule.ts';
import type { AnyVector } from './vector-files.ts';

/** How the cases of one recorded library are played against its shim. */
export interface Library<Vector extends AnyVector> {
  readonly name: string;
  readonly rules: readonly Rule<Vector>[];
  /** The fields of a case in which the recorded results stand; the others are its input. */
  readonly recordedFields: readonly string[];
  /** What the recorded library gave. */
  recorded(vector: Vector): Json;
  /** What the shim gives, in the same form. */
  play(vector: Vector): Promise<Json>;
  /** Values that are written differently and mean exactly the same. */
  readonly isSame?: SameValue;
  /** A program that the case needs and that is not on this machine. */
  missingProgram?(vector: Vector): string | null;
}
