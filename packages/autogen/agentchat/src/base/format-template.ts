import { formatTemplate as format, repr } from '@teamfuse/python-compat';
import { KeyError, ValueError } from './errors.ts';

/**
 * Fills a template like Python's `str.format`: `{name}` is a field, `{{` and `}}` are braces.
 *
 * @throws {@link KeyError} for a field that has no value, {@link ValueError} for a brace that stands alone.
 */
export function formatTemplate(
  template: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  return format(template, fields, (fault) =>
    fault.kind === 'no-value'
      ? new KeyError(repr(fault.field))
      : new ValueError(`Single '${fault.brace}' encountered in format string`),
  );
}
