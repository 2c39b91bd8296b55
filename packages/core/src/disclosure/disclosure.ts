import type { Trip } from '../circuit/trip.ts';
import { InvalidOptionError } from '../common/errors.ts';
import { cleanText, EXCERPT_LENGTH, RETAINED_LENGTH } from '../common/excerpt.ts';
import type { JsonValue } from '../common/json.ts';
import { atOnce } from '../common/maybe-promise.ts';
import { toJson } from '../common/to-json.ts';
import type { Finding } from '../detection/finding.ts';
import { withoutSecrets } from '../secrets/without-secrets.ts';
import type { FieldType } from '../signal/field-checks.ts';
import { rawExcerpt } from '../signal/raw-excerpt.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Signal } from '../signal/signal.ts';
import { type Field, SIGNAL_FIELDS, STEP_FIELDS } from '../signal/signal-fields.ts';
import { type ErrorParts, partsOf } from './error-parts.ts';
import { redactJson } from './redact-json.ts';

/** What leaves the breaker of what the team said, and how secrets are removed from it. */
export interface DisclosureOptions {
  /**
   * Whether texts of the team may be shown. With `false`, nothing quotes them, not even names of
   * tools; only your names of agents, models and conversations and ids of requests remain. A judge
   * cannot be used then. The events `signal` and `error` still pass on what was observed or thrown.
   * @defaultValue true
   */
  readonly excerpts?: boolean;
  /**
   * Removes secrets from every text before it is quoted. A function is applied after {@link
   * redactSecrets}; if it fails, the text is omitted. `false` switches both off.
   * @defaultValue {@link redactSecrets} alone
   */
  readonly redact?: ((text: string) => string) | false;
}

const REASON_LENGTH = 400;
/** The rest of a longer reason is not read. */
const MAX_REASON = 4000;
const FAILED = '[not shown: redact failed]';

/** What an error says as far as it may be told. */
interface ToldError extends Omit<ErrorParts, 'message'> {
  /** The name and the message, or that it is withheld. */
  readonly text: string;
  /** Tells errors apart, also where the message is withheld. Not to be shown. */
  readonly identity: readonly [code: string, text: string];
}

/** Decides what may be quoted of the team, and redacts it. Does not affect detection. */
export class Disclosure {
  readonly hasExcerpts: boolean;
  /** Whether {@link Disclosure.redacted} takes out anything. */
  readonly redactsSecrets: boolean;
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
    this.redactsSecrets = redact !== false;
    this.#report = report;
  }

  /** A text without secrets, or a placeholder if redacting fails. */
  readonly redacted = (text: string): string => this.#without(text, this.#report);

  #without(text: string, report: (error: unknown) => void): string {
    if (this.#redact === false) return text;
    try {
      const redacted: unknown = atOnce('redact', this.#redact(withoutSecrets(text)));
      if (typeof redacted === 'string') return redacted;
      throw new TypeError(`redact: expected text, received a value of type ${typeof redacted}`);
    } catch (error) {
      report(error);
      return FAILED;
    }
  }

  /** A raw excerpt as it is quoted. Invisible characters are removed first, since they could hide a secret. */
  excerpt(raw: string, length: number = EXCERPT_LENGTH): string {
    return cleanText(this.redacted(cleanText(raw, RETAINED_LENGTH)), length);
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

  /** What a signal says, on one line; empty with `excerpts: false`. */
  quote(signal: Signal, length?: number): string {
    return this.hasExcerpts ? this.excerpt(rawExcerpt(signal), length) : '';
  }

  /** A redacted copy of a signal or request with only its known fields; with `excerpts: false` all texts in it are empty. */
  signal<T extends Signal | AdmissionRequest>(signal: T): T {
    const given = signal as unknown as Readonly<Record<string, JsonValue | undefined>>;
    const copy: Record<string, JsonValue> = { kind: signal.kind };
    for (const field of SIGNAL_FIELDS.get(signal.kind) ?? STEP_FIELDS) {
      const value = given[field.name];
      if (value !== undefined) copy[field.name] = this.#field(field, value);
    }
    return copy as unknown as T;
  }

  /** An error that the team may have written. With `excerpts: false`, a plain name and code remain: programs may put any text there. */
  error(error: unknown): ToldError {
    const raw = partsOf(error);
    const [name, code, message] = [raw.name, raw.code, raw.message].map((text) =>
      // A report of this failure would be an error to be told as well.
      cleanText(
        this.#without(cleanText(text, MAX_REASON), () => {}),
        REASON_LENGTH,
      ),
    ) as [string, string, string];
    const identity = [code, `${name}: ${message}`] as const;
    if (this.hasExcerpts) return { name, code, text: `${name}: ${message}`, identity };
    const own = NAME.test(name) ? name : 'Error';
    const ownCode = NAME.test(code) && code !== own ? code : '';
    const text = `${own}${ownCode === '' ? '' : ` (${ownCode})`}: message withheld`;
    return { name: own, code: ownCode, text, identity };
  }

  /** A trip from elsewhere, such as a recording. With `excerpts: false`, what quotes the team is left out. */
  trip(trip: Trip): Trip {
    if (this.hasExcerpts) return this.#json(trip as unknown as JsonValue) as unknown as Trip;
    const { signals, subject: _, ...evidence } = trip.evidence;
    const refs = signals.map(({ excerpt: _excerpt, ...ref }) => ref);
    return { ...trip, ...WITHHELD, evidence: { ...evidence, signals: refs } };
  }

  #field({ name, type }: Field, value: JsonValue): JsonValue {
    if (OUR_TYPES.includes(type)) return value;
    if (!this.hasExcerpts && !OWN_NAMES.includes(name)) return WITHHELD_VALUES[type] ?? '';
    return this.#json(value);
  }

  #json(value: JsonValue): JsonValue {
    return this.#redact === false ? toJson(value) : redactJson(value, this.redacted);
  }
}

/** What no team can write a text into. */
const OUR_TYPES: readonly FieldType[] = [
  'number',
  'count',
  'money',
  'boolean',
  'exit-code',
  'role',
  'decision',
];
/** Names that the user gives, and programs go by. */
const OWN_NAMES: readonly string[] = ['agent', 'model', 'requestId'];
const WITHHELD_VALUES: { readonly [T in FieldType]?: JsonValue } = {
  names: [],
  json: null,
  error: { message: '' },
};
/** A name or code of an error that may be told without excerpts. */
const NAME = /^[A-Za-z_$][\w$.:-]{0,63}$/;

const WITHHELD: NonNullable<Finding['unquoted']> = {
  reason: 'the reason is withheld because it may quote the team',
};
