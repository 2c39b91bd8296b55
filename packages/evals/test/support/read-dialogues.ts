import { readFileSync } from 'node:fs';
import type { Scenario, ScenarioEvent } from '../../src/index.ts';

const PACE_MS = 3000;

/**
 * Reads dialogues from plain text: `# id healthy` or `# id loop 8-16` before each, one `agent: what it says` a line, `h`
 * for the person. `8-16` are the first and the last right message, counted from 1.
 */
export function readDialogues(path: string): Scenario[] {
  return readFileSync(path, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((text) => dialogue(text.trim().split('\n')));
}

function dialogue([head = '', ...lines]: readonly string[]): Scenario {
  const [id = '', must, window] = head.split(' ');
  const [first = 0, last = 0] = (window ?? '').split('-').map(Number);
  return {
    id,
    must: must === 'loop' ? 'trip' : 'no-trip',
    window: must === 'loop' ? [first, last] : null,
    kinds: ['speaker-cycle', 'repetition', 'history-drift'],
    config: {},
    twin: '',
    events: lines.filter((line) => line.trim() !== '').map(event),
  };
}

function event(line: string, index: number): ScenarioEvent {
  const colon = line.indexOf(': ');
  const agent = line.slice(0, colon);
  const text = line.slice(colon + 2).replaceAll('\\n', '\n');
  const at = index * PACE_MS;
  return agent === 'h'
    ? { type: 'human-input', at, agent: 'user', text }
    : { type: 'message', at, agent, text };
}
