import { readFileSync } from 'node:fs';
import type { Scenario, ScenarioEvent } from './scenario.ts';

const TWIN = '-twin';
const PACE_MS = 3000;
const TALK_KINDS = ['speaker-cycle', 'repetition', 'history-drift'];
const RUN = /^([\p{L}\p{M}\w]+)! (.*?) => (-?\d+) (.*)$/u;
const CALL = /^([\p{L}\p{M}\w]+)> (\w+) (.*?) => (.*)$/u;
const HANDOFF = /^([\p{L}\p{M}\w]+)~ (\S+): (.*)$/u;
const SHARED = /^@(\S+) (\d+)$/;

/**
 * Reads dialogues from plain text: `# id healthy` or `# id loop 8-16` before each, one event a line. `8-16` are the first
 * and the last right event, counted from 1.
 *
 * | written | means |
 * |---|---|
 * | `agent: what it says` | a message; `h` is the person |
 * | `agent! command => 1 output` | a run with its exit code |
 * | `agent> tool {"a":1} => result` | a call; arguments and result are JSON |
 * | `agent~ other: text` | a hand-over |
 * | `@id 7` | the first 7 lines of the dialogue `id` above, from which this one goes another way |
 */
export function readDialogues(path: string, kinds: readonly string[] = TALK_KINDS): Scenario[] {
  const known = new Map<string, readonly string[]>();
  return readFileSync(path, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((text) => dialogue(text.trim().split('\n'), kinds, known));
}

function dialogue(
  [head = '', ...own]: readonly string[],
  kinds: readonly string[],
  known: Map<string, readonly string[]>,
): Scenario {
  const [id = '', must, window] = head.split(' ');
  const lines = own.flatMap((line) => {
    const [, other = '', count] = SHARED.exec(line) ?? [];
    return count === undefined ? [line] : (known.get(other) ?? []).slice(0, Number(count));
  });
  known.set(id, lines);
  const [first = 0, last = 0] = (window ?? '').split('-').map(Number);
  return {
    id,
    must: must === 'loop' ? 'trip' : 'no-trip',
    window: must === 'loop' ? [first, last] : null,
    kinds,
    config: {},
    twin: id.endsWith(TWIN) ? id.slice(0, -TWIN.length) : `${id}${TWIN}`,
    events: lines.filter((line) => line.trim() !== '').map(event),
  };
}

function event(line: string, index: number): ScenarioEvent {
  const at = index * PACE_MS;
  const [, executor, code, exitCode, output = ''] = RUN.exec(line) ?? [];
  if (executor !== undefined) {
    const run = { language: 'sh', code, exitCode: Number(exitCode), output: unescaped(output) };
    return { type: 'code-execution', at, agent: executor, ...run };
  }
  const [, caller, tool, args = '', result = ''] = CALL.exec(line) ?? [];
  if (caller !== undefined) {
    const call = { tool, args: JSON.parse(args), result: JSON.parse(result) };
    return { type: 'tool-call', at, agent: caller, ...call };
  }
  const [, giver, to, task] = HANDOFF.exec(line) ?? [];
  if (giver !== undefined) return { type: 'handoff', at, agent: giver, to, text: task };
  const colon = line.indexOf(': ');
  const agent = line.slice(0, colon);
  const text = unescaped(line.slice(colon + 2));
  return agent === 'h'
    ? { type: 'human-input', at, agent: 'user', text }
    : { type: 'message', at, agent, text };
}

function unescaped(text: string): string {
  return text.replaceAll('\\n', '\n');
}
