import type { WireFormat } from './format.ts';
import { responses } from './responses.ts';

/** A request of Responses for a shorter history, which is no answer to anybody. */
export const compaction: WireFormat = {
  ...responses,
  path: /\/responses\/compact$/i,
  // Prose would take the place of the history, and no limit of tokens is taken.
  beside: (body) => ({ ...body, tool_choice: 'required', functions: [{}] }),
  isForModel: () => false,
  readAnswer: (body) => ({
    ...responses.readAnswer(body),
    items: [],
    isComplete: Array.isArray(body.output),
  }),
};
