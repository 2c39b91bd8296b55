import type { Fields } from '../../fields.ts';

const CAPITAL = /[A-Z]/g;

/** A name as the definitions of the API spell it: servers take `system_instruction` for `systemInstruction`. */
function otherSpelling(name: string): string {
  return name.replace(CAPITAL, (letter) => `_${letter.toLowerCase()}`);
}

/** The value of a field in either spelling. */
export function either(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[otherSpelling(name)];
}

/** The spelling in which a field is there, if it is. */
export function spelled(fields: Fields, name: string): string {
  const other = otherSpelling(name);
  return fields[name] === undefined && fields[other] !== undefined ? other : name;
}
