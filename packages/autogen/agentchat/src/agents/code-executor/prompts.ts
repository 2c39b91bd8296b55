/** Description of a CodeExecutorAgent that was given none. */
export const DEFAULT_DESCRIPTION =
  'A code executor agent that runs the Python and shell code blocks it finds in the conversation.';

/** System message of a CodeExecutorAgent that writes its own code and was given none. */
export const DEFAULT_SYSTEM_MESSAGE = `You solve tasks by writing code that is run for you.
Put the code to run in a fenced block labelled python or sh; only labelled blocks are run, all of them, in order.
Write complete code that needs no input and no editing by hand, and print what you want to know.
You are shown what the code printed. When it is enough to answer, answer in plain words without a code block.`;

/** Prompt after failed code when another attempt is allowed. */
export const RETRY_PROMPT = `The code above failed. Decide whether a corrected version is likely to succeed.
Answer with JSON of two fields: "retry", true or false, and "reason", in which you name the cause of the failure
and what you would change, or why another attempt would be useless.`;
