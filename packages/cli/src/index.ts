export {
  type Format,
  type Named,
  type ReadValue,
  type Recording,
  type ReportPart,
  valueFormat,
} from './formats/format.ts';
export { FORMATS } from './formats/index.ts';
export { mappedFormat } from './formats/mapped.ts';
export {
  type RecordedCall,
  type RecordedTurn,
  type TurnSignal,
  turnSignals,
} from './formats/turns.ts';
export { BadInputError, UnknownFormatError } from './input/bad-input-error.ts';
export type { Head } from './input/head.ts';
export { type Input, type InputValue, type OpenOptions, openInput } from './input/input.ts';
export type { InputLimits } from './input/limits.ts';
export type { Line, ReportBroken } from './input/lines.ts';
export { type ReadOptions, readRecordings, recognise } from './read-recordings.ts';
export { observe, type Replayed, type ReplayedTrip } from './replay/replay.ts';
export { type Spend, SpendCounter } from './replay/spend.ts';
