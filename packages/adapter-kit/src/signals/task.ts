import { readOr } from '../install/read-or.ts';

/** Who speaks from outside: a person or a program, or nobody knows. */
const OUTSIDE: readonly unknown[] = ['user', 'human', undefined];

/** The task in what an agent is given: a text, or the words of the last message, if that is from outside. */
export function taskIn(given: unknown): string | undefined {
  return readOr<string | undefined>(undefined, () => lastFromOutside(given));
}

function lastFromOutside(given: unknown): string | undefined {
  const { messages = given } = Object(given) as { readonly messages?: unknown };
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : messages;
  // LangChain takes pairs of a role and a text.
  const message: unknown = Array.isArray(last) ? { role: last[0], content: last[1] } : last;
  if (typeof message === 'string') return message;
  const { role, type, content, parts } = Object(message) as Readonly<Record<string, unknown>>;
  return OUTSIDE.includes(role ?? type) ? wordsIn(content ?? parts) : undefined;
}

/** The words of a message: a text, or parts of which some are texts. */
function wordsIn(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => Object(part).text).filter((text) => typeof text === 'string');
  return texts.length > 0 ? texts.join('\n') : undefined;
}
