import { KeyError, ValueError } from './errors.ts';
import { repr, str } from './python-text.ts';

const FIELD = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Fills a template like Python's `str.format`: `{name}` is a field, `{{` and `}}` are braces.
 *
 * Only plain fields are supported: no indices, attributes, conversions or format specifications.
 *
 * @throws {@link KeyError} for a field that has no value, {@link ValueError} for a brace that stands alone.
 */
export function formatTemplate(
  template: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  return template.replace(FIELD, (found: string, name: string | undefined) => {
    if (found === '{{') return '{';
    if (found === '}}') return '}';
    if (name === undefined) throw new ValueError(`Single '${found}' encountered in format string`);
    if (!Object.hasOwn(fields, name)) throw new KeyError(repr(name));
    return str(fields[name]);
  });
}
