import { formatTemplate as format } from '@teamfuse/python-compat';
import { GroupChatError, invalidValue } from '../errors.ts';

/**
 * Fills `{key}` in a template; `{{` and `}}` stand for braces.
 *
 * @throws {@link GroupChatError} with code `INVALID_VALUE` for a key that is not known, and a brace that stands alone
 */
export function formatTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return format(template, values, (fault) => {
    const problem =
      fault.kind === 'no-value'
        ? `the template has no value for {${fault.field}}.`
        : `the template has a '${fault.brace}' that stands alone; write it twice for a brace.`;
    return invalidValue(problem);
  });
}
