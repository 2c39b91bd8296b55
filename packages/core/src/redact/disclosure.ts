import { InvalidOptionError } from '../errors.ts';
import { cleanText, EXCERPT_LENGTH, RETAINED_LENGTH } from '../excerpt.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { Signal } from '../signal/signal.ts';
import { SIGNAL_FIELDS } from '../signal/signal-fields.ts';
import { toJson } from '../to-json.ts';
import { redactJson } from './redact-json.ts';
import { withoutSecrets } from './secrets.ts';

/** What leaves the breaker of what the team said, and how secrets are removed from it. */
export interface DisclosureOptions {
  /**
   * Whether texts of the team may be shown. With `false`, trips, findings, events and snapshots contain none of them, not even
   * names of tools; only your names of agents and conversations and ids of requests remain. A judge cannot be used then. The
   * event `signal` still passes on what was observed.
   * @defaultValue true
   */
  readonly excerpts?: boolean;
  /**
   * Removes secrets from every text before it is quoted, stored, put into a reason or shown to a judge. A function is applied
   * after {@link redactSecrets}, possibly to its own output; if it fails, the text is omitted. `false` switches both off.
   * @defaultValue {@link redactSecrets} alone
   */
  readonly redact?: ((text: string) => string) | false;
}

const REASON_LENGTH = 400;
/** The rest of a longer reason is not read. */
const MAX_REASON = 4000;
const FAILED = '[not shown: redact failed]';

/** Redacts the texts of the team before they leave the conversation. Does not affect detection. */
export class Disclosure {
  readonly hasExcerpts: boolean;
  readonly #redact: ((text: string) => string) | false;
  readonly #report: (error: unknown) => void;

  /** @throws {@link InvalidOptionError} */
  constructor({ excerpts = true, redact }: DisclosureOptions, report: (error: unknown) => void) {
    if (typeof excerpts !== 'boolean') {
      throw new InvalidOptionError('excerpts', 'true or false', excerpts);
    }
    if (redact !== undefined && redact !== false && typeof redact !== 'function') {
      throw new InvalidOptionError('redact', 'a function, or false', redact);
    }
    this.hasExcerpts = excerpts;
    this.#redact = redact ?? ((text) => text);
    this.#report = report;
  }

  /** A text without secrets, or a placeholder if redacting fails. */
  readonly redacted = (text: string): string => {
    if (this.#redact === false) return text;
    try {
      const redacted: unknown = this.#redact(withoutSecrets(text));
      if (typeof redacted === 'string') return redacted;
      throw new TypeError(`redact: expected text, received a value of type ${typeof redacted}`);
    } catch (error) {
      this.#report(error);
      return FAILED;
    }
  };

  /** A raw excerpt as it is quoted. Invisible characters are removed first, since they could hide a secret. */
  excerpt(raw: string): string {
    return cleanText(this.redacted(cleanText(raw, RETAINED_LENGTH)), EXCERPT_LENGTH);
  }

  /** A name that the team chose, such as that of a tool; empty with `excerpts: false`. */
  name(name: string): string {
    return this.hasExcerpts ? this.excerpt(name) : '';
  }

  reason(reason: string): string {
    return cleanText(this.redacted(cleanText(reason, MAX_REASON)), REASON_LENGTH);
  }

  finding({ unquoted, ...finding }: Finding): Finding {
    const { subject, ...evidence } = finding.evidence;
    if (this.hasExcerpts) {
      const shown = subject === undefined ? {} : { subject: this.reason(subject) };
      return {
        ...finding,
        reason: this.reason(finding.reason),
        evidence: { ...evidence, ...shown },
      };
    }
    const isOurs = !finding.kind.startsWith('custom:');
    const { reason, subject: plain } =
      unquoted ?? (isOurs ? { reason: finding.reason, subject } : WITHHELD);
    return {
      ...finding,
      reason: this.reason(reason),
      evidence: { ...evidence, ...(plain !== undefined && { subject: plain }) },
    };
  }

  /** A redacted copy of a signal with only its known fields, for a judge. */
  signal(signal: Signal): Signal {
    const given = signal as unknown as Readonly<Record<string, JsonValue | undefined>>;
    const copy: Record<string, JsonValue> = { kind: signal.kind };
    for (const { name, type } of SIGNAL_FIELDS.get(signal.kind) ?? []) {
      const value = given[name];
      if (value === undefined) continue;
      const isOurs = type === 'role' || type === 'decision';
      copy[name] = isOurs ? value : this.#json(value);
    }
    return copy as unknown as Signal;
  }

  #json(value: JsonValue): JsonValue {
    return this.#redact === false ? toJson(value) : redactJson(value, this.redacted);
  }
}

const WITHHELD: NonNullable<Finding['unquoted']> = {
  reason:
    'a custom detector reported a finding; its reason is hidden because it may quote the team',
};
