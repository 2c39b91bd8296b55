import type { ConversableAgent } from '@teamfuse/groupchat';
import type { Library } from '../harness/library.ts';
import { isSameAsDigest } from './digest.ts';
import { play } from './play/play.ts';
import { hasProgram } from './play/programs.ts';
import { playedForm, recordedForm } from './recorded-form.ts';
import { deviations } from './rules/deviations.ts';
import { equivalences } from './rules/equivalences.ts';
import type { Vector } from './vector.ts';

/** The recorded cases of AutoGen 0.2. */
export const groupchat: Library<Vector> = groupchatWith(() => {});

/** The same cases, with something done to the agents of each before they are played. */
export function groupchatWith(
  prepare: (agents: readonly ConversableAgent[]) => void,
): Library<Vector> {
  return {
    name: 'groupchat',
    rules: [...equivalences, ...deviations],
    recordedFields: ['expect'],
    recorded: recordedForm,
    play: async (vector) => playedForm(vector, await play(vector, prepare)),
    isSame: isSameAsDigest,
    missingProgram: ({ needs = [] }) => needs.find((program) => !hasProgram(program)) ?? null,
  };
}
