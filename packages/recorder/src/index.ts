export { recordTo } from './record-to.ts';
export { type RecordableBreaker, Recorder, type RecorderOptions } from './recorder.ts';
export { RecordingError } from './recording-error.ts';
export {
  type HeaderRecord,
  type LostRecord,
  RECORDING_VERSION,
  type RefusalRecord,
  type RunBeginRecord,
  type TripRecord,
  type WithheldRecord,
} from './records.ts';
