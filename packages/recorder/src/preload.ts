import { isMainThread, threadId } from 'node:worker_threads';
import { type RecordableBreaker, Recorder } from './recorder.ts';

/*
 * Loaded ahead of a program, with `node --import`, it records every breaker that is made there, and in all processes and
 * threads that the program starts.
 */
const LISTENERS = Symbol.for('teamfuse.breakers');

type Listeners = { [LISTENERS]?: Set<(breaker: RecordableBreaker) => void> };

const { TEAMFUSE_RECORDING: file } = process.env;
if (file !== undefined && file !== '') {
  // Threads have the id of their process.
  const run = `${new Date().toISOString()}-${process.pid}.${threadId}`;
  const recorder = new Recorder(file, isMainThread ? {} : { run });
  const listeners = globalThis as Listeners;
  listeners[LISTENERS] ??= new Set();
  listeners[LISTENERS].add((breaker) => recorder.add(breaker));
}
