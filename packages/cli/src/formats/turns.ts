import type { Signal } from '@teamfuse/core';
import type { JsonValue } from '@teamfuse/core/kit';
import { TURN_MS, UNKNOWN_MODEL } from '../transcript/transcript.ts';
import { fieldsOf, listOf, nameIn, parsedJson } from '../transcript/values.ts';
import { type Format, valueFormat } from './format.ts';

/** One turn of a recorded conversation. */
export interface RecordedTurn {
  readonly speaker: string;
  readonly recipient?: string | null;
  readonly content: string;
  readonly exitCode?: number | null;
  readonly toolCalls?: readonly RecordedCall[] | null;
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly marker?: string | null;
}

/** A call that a turn asked for. */
export interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
}

/** A signal with the turn it was made from. */
export interface TurnSignal {
  readonly turn: number;
  readonly signal: Signal;
}

const TOOL_SPEAKER = 'tool:';
const FENCED_CODE = /```\w*\n([\s\S]*?)```/;

/** Conversations turn by turn: `{ id, turns: [{ speaker, content, … }] }`. */
export const turns: Format = valueFormat(
  'turns',
  '{ id, turns: [{ speaker, content }] }',
  (value, name) => {
    const fields = fieldsOf(value);
    const list = listOf(fields?.turns);
    if (fields === undefined || !list.some(isTurn)) return undefined;
    const read = list.filter(isTurn);
    return [
      { id: nameIn(fields.id) ?? name, signals: turnSignals(read).map(({ signal }) => signal) },
    ];
  },
);

/**
 * Turns as signals, in one documented way for all of them.
 *
 * - The first turn is the task, and comes from a person; so does what a speaker called `human` says.
 * - Turns marked `thought` are log entries that nobody was told: they are dropped.
 * - A turn with an exit code is an execution of the code that was last shown.
 * - A turn by `tool:x` is a call of x by whoever asked for it last, with the arguments of that request.
 * - Everything else is a message. A call as such is none: its result says what came of it.
 * - Reported usage stands before the turn it produced.
 */
export function turnSignals(turns: readonly RecordedTurn[]): TurnSignal[] {
  const signals: TurnSignal[] = [];
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
      const tool = agent.slice(TOOL_SPEAKER.length) || 'unknown';
      const args = parsedJson(calls.find((call) => call?.name === tool)?.args ?? null);
      const call = { kind: 'tool-call', at, agent: caller || tool, tool, args } as const;
      signals.push({ turn, signal: { ...call, result: parsedJson(content) as JsonValue } });
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

function toUsage(at: number, agent: string, usage: NonNullable<RecordedTurn['usage']>): Signal {
  const { prompt_tokens, completion_tokens } = usage;
  return {
    kind: 'usage',
    at,
    agent,
    model: UNKNOWN_MODEL,
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens,
    costUsd: null,
  };
}

function isTurn(value: unknown): value is RecordedTurn {
  const { speaker, content, toolCalls } = fieldsOf(value) ?? {};
  const isCalls = toolCalls === undefined || toolCalls === null || Array.isArray(toolCalls);
  return typeof speaker === 'string' && typeof content === 'string' && isCalls;
}
