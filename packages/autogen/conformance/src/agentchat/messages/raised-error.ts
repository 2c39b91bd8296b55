import { type JsonObject, ValidationError } from '@teamfuse/agentchat';
import type { ErrorSpec } from '../vector.ts';

/** An error of a class the recorded library's users know, made from its name and text. */
export class VectorError extends Error {
  override readonly name: string;
  /** What it was made from. */
  readonly spec: ErrorSpec;

  constructor(spec: ErrorSpec) {
    const { type, message } = spec;
    super(type === 'KeyError' ? `'${message}'` : message);
    this.name = type;
    this.spec = spec;
  }
}

/** An error in the form the vectors record it. */
export function recordedError(error: unknown): JsonObject {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const recorded = { type: error.name, message: error.message.split('\n')[0] ?? '' };
  if (!(error instanceof ValidationError)) return recorded;
  const fields = error.issues.map(({ loc }) => ({ loc: loc.map(asKey) }));
  return { ...recorded, fields };
}

function asKey(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}
