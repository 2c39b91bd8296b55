import { hashText } from '../analysis/hash.ts';
import { cleanText } from '../excerpt.ts';
import type { Disclosure } from '../redact/disclosure.ts';
import type { Trip } from '../trip.ts';
import type { RunFailure } from './run-record.ts';

const REASON_LENGTH = 400;
const SUBJECT_LENGTH = 200;
/** Anybody may set the name and the code of an error: where excerpts are off, what looks otherwise is not kept. */
const NAME = /^[A-Za-z_$][\w$.:-]{0,63}$/;
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
    fingerprint: fingerprintOf([kind, subject, ...who.map((agent) => cleanText(agent, 100))]),
  };
}

/**
 * An error that a run threw: two are the same by name, code and message, numbers and secrets aside. What is kept of it goes
 * by what may be told: without excerpts its name and code, if they look like names.
 */
export function failureOfError(error: unknown, disclosure: Disclosure): RunFailure {
  const raw = readable(error);
  const [name, code, message] = [raw.name, raw.code, raw.message].map((text) =>
    disclosure.reason(text),
  ) as [string, string, string];
  const fingerprint = fingerprintOf(['error', code, `${name}: ${message}`.replace(/\d+/g, '#')]);
  if (disclosure.hasExcerpts) {
    const subject = cleanText(code === '' ? name : code, SUBJECT_LENGTH);
    const reason = cleanText(`${name}: ${message}`, REASON_LENGTH);
    return { kind: 'error', subject, reason, fingerprint };
  }
  const ownName = NAME.test(name) ? name : 'Error';
  const subject = NAME.test(code) ? code : ownName;
  const reason = `${ownName}${subject === ownName ? '' : ` (${subject})`}: its message is not kept`;
  return { kind: 'error', subject, reason, fingerprint };
}

function fingerprintOf(parts: readonly string[]): string {
  return hashText(JSON.stringify(parts)).toString(36);
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
