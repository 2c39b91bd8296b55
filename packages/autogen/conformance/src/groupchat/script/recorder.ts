import type { ChatEvent, Tap } from '@teamfuse/groupchat';
import type { Json } from '../../harness/json.ts';
import type { TraceEvent, Vector } from '../vector.ts';
import { builtInName } from './built-ins.ts';
import { errorTypes } from './raised-error.ts';
import { row } from './rows.ts';

/** Ends a case that would go on for ever. */
class DepthGuardError extends Error {
  override readonly name = 'DepthGuardError';
}

/** Writes the trace of a case: from taps what the agents do, and what the scripts note themselves. */
export class Recorder implements Tap {
  readonly trace: TraceEvent[] = [];
  readonly counts: Counts = {
    hooks: new Tally(),
    llm: new Tally(),
    nested: new Tally(),
    term_checks: new Tally(),
  };
  /** The ids of nested queues. */
  readonly queues: Map<object, string> = new Map();
  /** Nested queues with a reply function of their own, whose end is not recorded. */
  readonly customQueues: Set<object> = new Set();
  /** What a scripted runner knows of the code it runs and the tap does not. */
  nextExecution: Record<string, unknown> = {};
  readonly #recordsBuiltIns: boolean;
  readonly #limit: number;
  readonly #queueOf = new Map<object, object>();

  constructor(vector: Vector) {
    this.#recordsBuiltIns = vector.record_builtins ?? false;
    const { trace = [], trace_truncated: isTruncated = false } = vector.expect;
    this.#limit = isTruncated ? trace.length : Number.POSITIVE_INFINITY;
  }

  note(event: TraceEvent): void {
    if (this.trace.length >= this.#limit) throw new DepthGuardError('the case goes on for ever');
    this.trace.push(event);
  }

  observe(event: ChatEvent): void {
    const { agent } = event;
    switch (event.kind) {
      case 'chat-start':
        if (!event.hiddenFor)
          this.note({ ev: 'chat_begin', from: agent.name, to: event.recipient.name });
        return;
      case 'chat-end':
        if (!event.hiddenFor) this.#chatEnd(event);
        return;
      case 'reply':
        this.#ran(event);
        return;
      case 'human-input':
        this.note({
          ev: 'human',
          agent: event.purpose === 'speaker' ? null : agent.name,
          prompt: event.prompt,
          input: event.input,
        });
        return;
      case 'group-message':
        this.note({ ev: 'append', group: agent.name, message: row(event.message) });
        return;
      case 'selection':
        this.note({
          ev: 'select',
          group: agent.name,
          last: event.lastSpeaker.name,
          ...outcome(event.error, { speaker: event.speaker?.name }),
        });
        return;
      case 'run-end':
        this.note({
          ev: 'run_end',
          group: agent.name,
          reason: event.reason === 'error' ? `error:${typeName(event.error)}` : event.reason,
          appended: event.rounds,
        });
        return;
      case 'model-request':
        this.counts.llm.add(event.model);
        this.note({
          ev: 'llm',
          agent: agent.name,
          model: event.model,
          n: event.messages.length,
          request: structuredClone(event.messages.map(row)),
        });
        return;
      case 'code-execution':
        this.note({
          ev: 'exec',
          agent: agent.name,
          blocks: event.blocks,
          ...this.nextExecution,
          ...outcome(event.error, { exit_code: event.exitCode, output: event.output }),
        });
        this.nextExecution = {};
        return;
      case 'nested-start':
      case 'nested-end':
        this.#nested(event);
        return;
      default:
    }
  }

  #chatEnd(event: ChatEvent & { kind: 'chat-end' }): void {
    const ends = { ev: 'chat_end', from: event.agent.name, to: event.recipient.name };
    this.note({ ...ends, ...outcome(event.error, { summary: event.summary }) });
  }

  #ran({ agent, hiddenFor, replyFunc, final, reply }: ChatEvent & { kind: 'reply' }): void {
    const fn = builtInName(replyFunc);
    if (!this.#recordsBuiltIns || hiddenFor || !fn) return;
    this.note({ ev: 'ran', agent: agent.name, fn, final, reply: structuredClone(reply) });
  }

  #nested(event: ChatEvent & { kind: 'nested-start' | 'nested-end' }): void {
    const owner = event.agent.name;
    if (event.kind === 'nested-start') {
      this.#queueOf.set(event.nesting, event.queue);
      const queue = this.queues.get(event.queue) ?? '';
      this.counts.nested.add(queue);
      this.note({
        ev: 'nested_begin',
        owner,
        queue,
        sender: event.sender?.name ?? null,
        time: event.time,
      });
      return;
    }
    const queued = this.#queueOf.get(event.nesting) as object;
    if (this.customQueues.has(queued)) return;
    const queue = this.queues.get(queued) ?? '';
    this.note({
      ev: 'nested_end',
      owner,
      queue,
      ...outcome(event.error, { final: event.final, reply: event.reply }),
    });
  }
}

/** What is counted while a case is played. */
export interface Counts {
  readonly hooks: Tally;
  readonly llm: Tally;
  readonly nested: Tally;
  readonly term_checks: Tally;
}

/** How often something happened, by name. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  toJson(): { [name: string]: Json } {
    return Object.fromEntries(this.#counts);
  }
}

/** The name an error stands under in a trace. */
function typeName(error: unknown): string {
  return errorTypes(error)[0] ?? (error instanceof Error ? error.name : typeof error);
}

function outcome(error: unknown, result: Record<string, unknown>): Record<string, unknown> {
  return error === null ? result : { error: typeName(error) };
}
