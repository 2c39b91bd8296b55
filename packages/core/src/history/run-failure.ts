import { cleanText } from '../excerpt.ts';
import { hashText } from '../hash.ts';
import type { Disclosure } from '../redact/disclosure.ts';
import type { Trip } from '../trip.ts';
import type { RunFailure } from './run-record.ts';

const REASON_LENGTH = 400;
const SUBJECT_LENGTH = 200;
/** A name or code of an error that may be stored without excerpts: programs may put any text there. */
const NAME = /^[A-Za-z_$][\w$.:-]{0,63}$/;
/** Declared kinds: the failure is the same, whichever agent reaches the limit. */
const DECLARED: readonly string[] = ['limit', 'budget', 'context-window'];

/** The failure of a run that tripped: identified by kind and subject, and by agents unless the kind is declared. */
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
 * The failure of a run that threw: identified by name, code and message without numbers and secrets. Without excerpts, only a
 * plain name and code are kept.
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
  const reason = `${ownName}${subject === ownName ? '' : ` (${subject})`}: message withheld`;
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
    return { name: 'Error', code: '', message: 'an unprintable error' };
  }
}
