import { cleanText } from '../excerpt.ts';
import type { Trip } from '../trip.ts';
import type { RunFailure } from './run-record.ts';

const REASON_LENGTH = 400;
const SUBJECT_LENGTH = 200;
/** Kinds that were declared: whoever happens to reach such a limit, it is the same one. */
const DECLARED: readonly string[] = ['limit', 'budget', 'context-window'];

/** A trip as the failure of a run: two are the same by kind and subject, and by agents unless it was declared. */
export function failureOfTrip({ kind, reason, agents, evidence }: Trip): RunFailure {
  const subject = cleanText(evidence.subject ?? '', SUBJECT_LENGTH);
  const who = DECLARED.includes(kind) ? [] : [...new Set(agents)].sort();
  return {
    kind,
    subject,
    reason: cleanText(reason, REASON_LENGTH),
    fingerprint: JSON.stringify([kind, subject, ...who.map((agent) => cleanText(agent, 100))]),
  };
}

/** An error that a run threw: two are the same by name, code and message, numbers aside. */
export function failureOfError(error: unknown): RunFailure {
  const { name, code, message } = readable(error);
  const subject = cleanText(code === '' ? name : code, SUBJECT_LENGTH);
  const reason = cleanText(`${name}: ${message}`, REASON_LENGTH);
  return {
    kind: 'error',
    subject,
    reason,
    fingerprint: JSON.stringify(['error', subject, reason.replace(/\d+/g, '#')]),
  };
}

function readable(error: unknown): Record<'name' | 'code' | 'message', string> {
  try {
    const { name, code, message } = Object(error);
    return {
      name: typeof name === 'string' ? name : 'Error',
      code: typeof code === 'string' ? code : '',
      message: typeof message === 'string' ? message : String(error),
    };
  } catch {
    return { name: 'Error', code: '', message: 'an error that cannot be shown' };
  }
}
