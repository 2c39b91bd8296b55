/** Description of an AssistantAgent that was given none. */
export const DEFAULT_DESCRIPTION = 'An agent that provides assistance with ability to use tools.';

/** System message of an AssistantAgent that was given none; conditions look for `TERMINATE`. */
export const DEFAULT_SYSTEM_MESSAGE: string =
  'You are a helpful assistant. Work on the task with the tools you have. ' +
  'Once the task is done, answer with the word TERMINATE.';
