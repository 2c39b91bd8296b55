import { str } from './repr.ts';

/** Why a template cannot be filled in. */
export type TemplateFault =
  | { readonly kind: 'no-value'; readonly field: string }
  | { readonly kind: 'lone-brace'; readonly brace: string };

const FIELD = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Fills a template like Python's `str.format`: `{name}` is a field, `{{` and `}}` are braces.
 *
 * Only plain fields are supported: no indices, attributes, conversions or format specifications.
 *
 * @throws what `refuse` makes of a fault.
 */
export function formatTemplate(
  template: string,
  fields: Readonly<Record<string, unknown>>,
  refuse: (fault: TemplateFault) => Error,
): string {
  return template.replace(FIELD, (found: string, field: string | undefined) => {
    if (found === '{{') return '{';
    if (found === '}}') return '}';
    if (field === undefined) throw refuse({ kind: 'lone-brace', brace: found });
    if (!Object.hasOwn(fields, field)) throw refuse({ kind: 'no-value', field });
    return str(fields[field]);
  });
}
