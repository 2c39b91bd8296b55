import type { Trip } from '@teamfuse/core';
import { hashText } from '@teamfuse/core/detectors';
import type { Disclosure } from '@teamfuse/core/kit';
import { cleanText } from '@teamfuse/core/sharing';
import type { RunFailure } from './run-record.ts';

const REASON_LENGTH = 400;
const SUBJECT_LENGTH = 200;
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
  const { name, code, text, identity } = disclosure.error(error);
  const [ownCode, said] = identity;
  return {
    kind: 'error',
    subject: cleanText(code === '' ? name : code, SUBJECT_LENGTH),
    reason: cleanText(text, REASON_LENGTH),
    fingerprint: fingerprintOf(['error', ownCode, said.replace(/\d+/g, '#')]),
  };
}

function fingerprintOf(parts: readonly string[]): string {
  return hashText(JSON.stringify(parts)).toString(36);
}
