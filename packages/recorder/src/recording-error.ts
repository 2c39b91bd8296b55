/** A signal could not be recorded. The run continues; the breaker emits an `error` (`during: 'recording'`). */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'RECORDING';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`cannot record to ${file}: ${problem}`, options);
    this.file = file;
  }
}
