import { isMainThread, threadId } from 'node:worker_threads';
import { type RecordableBreaker, Recorder } from './recorder.ts';
import { olderFile } from './recording-file.ts';

/*
 * Loaded ahead of a program, with `node --import`, it records every breaker that is made there. Each process and each
 * thread has its own file: two that replace the same full file would lose each other's lines.
 */
const LISTENERS = Symbol.for('teamfuse.breakers');

type Listeners = { [LISTENERS]?: Set<(breaker: RecordableBreaker) => void> };

const { TEAMFUSE_RECORDING: file, TEAMFUSE_RECORDING_PROCESS: first } = process.env;
if (file !== undefined && file !== '') {
  process.env.TEAMFUSE_RECORDING_PROCESS ??= `${process.pid}`;
  const isFirst = isMainThread && (first === undefined || first === `${process.pid}`);
  const suffix = isMainThread ? process.pid : Number(`${process.pid}${threadId}`);
  const recorder = new Recorder(isFirst ? file : olderFile(file, suffix));
  const listeners = globalThis as Listeners;
  listeners[LISTENERS] ??= new Set();
  listeners[LISTENERS].add((breaker) => recorder.add(breaker));
}
