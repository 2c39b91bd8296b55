import { type Fields, fieldsOf } from '../fields.ts';

/** The error in a body, or in an event of a stream, whose status says that all is well. */
export function errorIn(body: Fields): Error | undefined {
  const { type, error = fieldsOf(body.response).error } = body;
  const given = error ?? (type === 'error' ? body : undefined);
  if (!given) return undefined;
  const { code, type: kind, status } = fieldsOf(given);
  const told = [code, kind, status].find((one) => typeof one === 'string' || Number.isInteger(one));
  const name = String(told ?? 'error');
  return Object.assign(new Error(`an error in place of an answer: ${name}`), { code: name });
}
