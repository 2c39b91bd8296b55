import type { OptionNames } from '@teamfuse/python-compat';
import { invalidValue } from '../errors.ts';

/** The prompts for the model that chooses the next speaker. */
export interface SelectSpeakerTemplates {
  /** Its system message; `{roles}` and `{agentlist}` are filled in. */
  readonly selectSpeakerMessageTemplate: string;
  /** The question after the transcript; with `null` the last message is repeated instead. */
  readonly selectSpeakerPromptTemplate: string | null;
  /** The reply when the model named several agents. */
  readonly selectSpeakerAutoMultipleTemplate: string;
  /** The reply when the model named none. */
  readonly selectSpeakerAutoNoneTemplate: string;
}

/** The options that set templates. */
export const templateNames: OptionNames<SelectSpeakerTemplates> = {
  selectSpeakerMessageTemplate: true,
  selectSpeakerPromptTemplate: true,
  selectSpeakerAutoMultipleTemplate: true,
  selectSpeakerAutoNoneTemplate: true,
};

/** The templates of a group that sets none. */
const defaultTemplates: SelectSpeakerTemplates = {
  selectSpeakerMessageTemplate: `You direct a conversation between these roles:
{roles}.

Read what was said and choose who of {agentlist} speaks next. Answer with the name alone.`,
  selectSpeakerPromptTemplate:
    'Who of {agentlist} should speak next, after what was said above? Answer with the name alone.',
  selectSpeakerAutoMultipleTemplate: `Your answer names more than one role; exactly one has to be chosen. Decide as follows:
1. If the answer refers to itself as one of the roles, take that role.
2. If it says who comes next, take that one.
3. Otherwise take the role it names first.
Mind capitals and underscores. Answer with the one name and nothing else.`,
  selectSpeakerAutoNoneTemplate: `Your answer names none of the roles; exactly one has to be chosen. Decide as follows:
1. If the answer refers to itself as one of the roles, take that role.
2. If it says who comes next, take that one.
3. Otherwise take the role it comes closest to.
The names are {agentlist}. Mind capitals and underscores. Answer with the one name and nothing else.`,
};

/** Fills in the default templates and rejects empty ones; an empty prompt template means none. */
export function checkTemplates(given: Partial<SelectSpeakerTemplates>): SelectSpeakerTemplates {
  const templates = { ...defaultTemplates, ...given };
  const required = {
    select_speaker_message_template: templates.selectSpeakerMessageTemplate,
    select_speaker_auto_multiple_template: templates.selectSpeakerAutoMultipleTemplate,
    select_speaker_auto_none_template: templates.selectSpeakerAutoNoneTemplate,
  };
  for (const [name, template] of Object.entries(required)) {
    if (!template) throw invalidValue(`${name} cannot be empty or None.`);
  }
  const prompt = templates.selectSpeakerPromptTemplate || null;
  return { ...templates, selectSpeakerPromptTemplate: prompt };
}
