export { exitCodeOf, type ReportedRun, readRun, type ShownCode, shownCode } from './executions.ts';
