/** Description of a SocietyOfMindAgent that was given none. */
export const DEFAULT_DESCRIPTION =
  'An agent that uses an inner team of agents to generate responses.';

/** Default prompt before the inner conversation. */
export const DEFAULT_INSTRUCTION =
  'A request was put to you, and your team has worked on it. What the members of the team said follows, in order.';

/** Default prompt after the inner conversation. */
export const DEFAULT_RESPONSE_PROMPT =
  'Answer the request in your own name, complete in itself. Do not mention the team or its discussion.';
