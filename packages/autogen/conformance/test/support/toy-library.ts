import type { Json } from '../../src/harness/json.ts';
import type { Library } from '../../src/harness/library.ts';
import type { AnyVector } from '../../src/harness/vector-files.ts';

/** A case whose result is its input. */
export interface ToyVector extends AnyVector {
  readonly gives: Json;
  readonly expect: Json;
  readonly needs?: string;
  /** It cannot be played. */
  readonly fails?: boolean;
}

/** A library with one deviation, `case`: letters may be capitals. */
export const toy: Library<ToyVector> = {
  name: 'toy',
  rules: [
    {
      name: 'case',
      kind: 'deviation',
      explains: ({ expected, got }) => String(expected).toUpperCase() === got,
    },
  ],
  recordedFields: ['expect'],
  recorded: ({ expect }) => expect,
  play: async ({ gives, fails }) => {
    if (fails) throw new Error('no toy');
    return gives;
  },
  missingProgram: ({ needs = null }) => needs,
};
