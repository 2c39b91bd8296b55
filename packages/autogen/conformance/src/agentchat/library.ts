import type { JsonObject } from '@teamfuse/agentchat';
import type { Library } from '../harness/library.ts';
import { deviations } from './deviations.ts';
import { equivalences } from './equivalences.ts';
import { playComponent } from './play/play-component.ts';
import { playCondition } from './play/play-condition.ts';
import { playRun } from './play/play-run.ts';
import type { Played } from './play/played.ts';
import type { Subject } from './play/subject.ts';
import { deviationRule } from './tag-rule.ts';
import type { AnyCase } from './vector.ts';

const RECORDED = ['expected', 'construct_error', 'dumped', 'loaded_type', 'reloaded_dump'];

/** The recorded cases of AutoGen AgentChat. */
export const agentchat: Library<AnyCase> = agentchatWith((subject) => subject);

/** The same cases, with something done to each team, and to each agent that is alone, before it is played. */
export function agentchatWith(prepare: (subject: Subject) => Subject): Library<AnyCase> {
  return {
    name: 'agentchat',
    rules: [...equivalences, ...deviations.map(deviationRule)],
    recordedFields: RECORDED,
    recorded,
    play: async (vector) => JSON.parse(JSON.stringify(await played(vector, prepare))),
  };
}

function recorded(vector: AnyCase): JsonObject {
  return Object.fromEntries(Object.entries(vector).filter(([key]) => RECORDED.includes(key)));
}

async function played(vector: AnyCase, prepare: (subject: Subject) => Subject): Promise<Played> {
  if ('steps' in vector) return playCondition(vector);
  if ('actions' in vector) return playRun(vector, prepare);
  return playComponent(vector);
}
