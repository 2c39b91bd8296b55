import { GroupChatError } from '../errors.ts';

/**
 * Fills `{key}` in a template; `{{` and `}}` stand for braces.
 *
 * @throws {@link GroupChatError} with code `INVALID_VALUE` for a key that is not known
 */
export function formatTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{|\}\}|\{(\w*)\}/g, (found, key?: string) => {
    if (key === undefined) return found.slice(1);
    const value = values[key];
    if (value !== undefined) return value;
    throw new GroupChatError('INVALID_VALUE', `the template has no value for {${key}}.`);
  });
}
