import type { JsonValue, Signal } from '@teamfuse/core';

/** One turn of a recorded conversation. */
export interface TraceTurn {
  readonly speaker: string;
  readonly recipient?: string | null;
  readonly content: string;
  readonly exitCode?: number | null;
  readonly toolCalls?: readonly RecordedCall[] | null;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly marker?: string | null;
}

interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
}

/** A recorded conversation. */
export interface Trace {
  readonly id: string;
  readonly outcome: string;
  readonly turns: readonly TraceTurn[];
}

/** A signal with the turn it was made from. */
export interface TracedSignal {
  readonly turn: number;
  readonly signal: Signal;
}

/** Recordings rarely say when: turns are taken to follow each other at this distance. */
const TURN_MS = 2000;
const TOOL_SPEAKER = 'tool:';
const FENCED_CODE = /```\w*\n([\s\S]*?)```/;

/**
 * A recording as signals, in one documented way for all of them.
 *
 * - The first turn is the task, and comes from a person; so does what a speaker called `human` says.
 * - Turns marked `thought` are log entries that nobody was told: they are dropped.
 * - A turn with an exit code is an execution of the code that was last shown.
 * - A turn by `tool:x` is a call of x by whoever asked for it last, with the arguments of that request.
 * - Everything else is a message. A call as such is none: its result says what came of it.
 * - Reported usage stands before the turn it produced.
 */
export function toSignals({ turns }: Trace): TracedSignal[] {
  const signals: TracedSignal[] = [];
  let calls: readonly RecordedCall[] = [];
  let caller = '';
  let code = '';
  for (const [turn, entry] of turns.entries()) {
    if (entry.marker === 'thought') continue;
    const { speaker: agent, content, exitCode, toolCalls, usage } = entry;
    const at = turn * TURN_MS;
    if (usage) signals.push({ turn, signal: toUsage(at, agent, usage) });
    if (toolCalls && toolCalls.length > 0) {
      calls = toolCalls;
      caller = agent;
    }
    if (agent.startsWith(TOOL_SPEAKER)) {
      const tool = agent.slice(TOOL_SPEAKER.length);
      const args = parsed(calls.find(({ name }) => name === tool)?.args ?? null);
      const call = { kind: 'tool-call', at, agent: caller || tool, tool, args } as const;
      signals.push({ turn, signal: { ...call, result: parsed(content) } });
    } else if (typeof exitCode === 'number') {
      const run = { kind: 'execution', at, agent, language: 'code', code } as const;
      signals.push({ turn, signal: { ...run, exitCode, output: content } });
    } else if (turn === 0 || agent === 'human') {
      signals.push({ turn, signal: { kind: 'human-input', at, agent, text: content } });
    } else if (content !== '' || !toolCalls?.length) {
      const to = entry.recipient ? { to: entry.recipient } : undefined;
      signals.push({ turn, signal: { kind: 'message', at, agent, text: content, ...to } });
    }
    code = FENCED_CODE.exec(content)?.[1] ?? code;
  }
  return signals;
}

function toUsage(at: number, agent: string, usage: NonNullable<TraceTurn['usage']>): Signal {
  const { prompt_tokens, completion_tokens } = usage;
  return {
    kind: 'usage',
    at,
    agent,
    model: 'unknown',
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens,
    costUsd: null,
  };
}

function parsed(value: unknown): JsonValue {
  if (typeof value !== 'string') return value as JsonValue;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}
