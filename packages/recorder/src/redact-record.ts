import { redactSecrets } from '@teamfuse/core';
import { type JsonValue, redactJson } from '@teamfuse/core/kit';

/** What no team can write into, and a replay goes by. */
const OURS: readonly string[] = [
  'record',
  'kind',
  'role',
  'decision',
  'exitCode',
  'serviceTier',
  'basis',
  'by',
];
/** Parts of a record whose fields are named by us. */
const PARTS: readonly string[] = ['trip', 'request', 'error', 'evidence', 'signals'];

type Fields = { readonly [name: string]: JsonValue };

/** A record whose texts are redacted, and that can be read as before: its own fields keep their names. */
export function redactRecord(record: Fields, redact: (text: string) => string): Fields {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      // A host may give fields of its own, under any name.
      redactSecrets(name),
      redactField(name, value, redact),
    ]),
  );
}

function redactField(name: string, value: JsonValue, redact: (text: string) => string): JsonValue {
  if (OURS.includes(name)) return value;
  if (PARTS.includes(name) && Array.isArray(value)) {
    return value.map((item) => redactField(name, item, redact));
  }
  if (PARTS.includes(name) && typeof value === 'object' && value !== null) {
    return redactRecord(value as Fields, redact);
  }
  // The name of a field may say that a secret is in it.
  const [redacted] = Object.values(redactJson({ [name]: value }, redact));
  return redacted as JsonValue;
}
