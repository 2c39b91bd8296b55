import { type RecordableBreaker, Recorder, type RecorderOptions } from './recorder.ts';

/**
 * Records a breaker to a file, from now until the recorder is closed.
 *
 * @throws {@link InvalidOptionError} naming the option, what was expected and what was received.
 * @example
 * ```ts
 * const recorder = recordTo(breaker, 'run.jsonl');
 * // … the team runs …
 * await recorder.close();
 * ```
 */
export function recordTo(
  breaker: RecordableBreaker,
  file: string,
  options: RecorderOptions = {},
): Recorder {
  const recorder = new Recorder(file, options);
  recorder.add(breaker);
  return recorder;
}
