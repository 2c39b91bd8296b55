/** Something could not be recorded. The run goes on; the breaker tells it as `error` (`during: 'recording'`). */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'RECORDING';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`cannot record to ${file}: ${problem}`, options);
    this.file = file;
  }
}
