import type { Fields } from '../fields.ts';

const ROLES: readonly unknown[] = ['user', 'tool', 'function'];

/** Whether an entry of a history of OpenAI or Anthropic waits for the model. */
export function isForModel({ role, type }: Fields): boolean {
  return ROLES.includes(role) || (typeof type === 'string' && type.endsWith('_output'));
}

/** An entry with which the user says something. */
export function userSays(content: string): object {
  return { role: 'user', content };
}
