import type { Signal } from '@teamfuse/core';
import { nameOf, oneLine, quoted, shortened } from './clean.ts';

/** Steps that are shown in full, up to a length, and steps before them that are shown in one line each. */
const LATEST_STEPS = 16;
const STEP_LENGTH = 600;
const EARLIER_STEPS = 24;
const LINE_LENGTH = 120;
/** A part that needs no title. */
const TEXT = 'text';

/** One step as it is shown: who did what, and the texts that belong to it. */
interface Shown {
  readonly heading: string;
  readonly parts: readonly (readonly [title: string, text: string])[];
}

/** The steps of a conversation for a reader: the earlier ones in short, the latest ones at more length. */
export function recordOf(signals: readonly Signal[]): string {
  const steps = signals.slice(-(LATEST_STEPS + EARLIER_STEPS)).map(shownOf);
  const latest = steps.slice(-LATEST_STEPS);
  const earlier = steps.slice(0, -LATEST_STEPS);
  const lines = earlier.map((step, i) => inShort(step, i + 1));
  const blocks = latest.map((step, i) => inFull(step, earlier.length + i + 1));
  return [
    ...(lines.length > 0 ? ['EARLIER STEPS, shortened', ...lines, ''] : []),
    'LATEST STEPS',
    ...blocks,
  ].join('\n');
}

function inShort({ heading, parts }: Shown, number: number): string {
  const text = parts.map(([, part]) => oneLine(part, LINE_LENGTH)).join(' => ');
  return quoted(oneLine(`#${number} ${heading}: ${text}`, LINE_LENGTH));
}

function inFull({ heading, parts }: Shown, number: number): string {
  const length = Math.floor(STEP_LENGTH / Math.max(1, parts.length));
  const blocks = parts.map(([title, text]) => {
    if (text.trim() === '') return `${title} (empty)`;
    const quote = quoted(shortened(text, length));
    return title === TEXT ? quote : `${title}\n${quote}`;
  });
  return [`#${number} ${heading}`, ...blocks].join('\n');
}

function shownOf(signal: Signal): Shown {
  const agent = nameOf(signal.agent);
  switch (signal.kind) {
    case 'message':
      return { heading: `${agent} said`, parts: [[TEXT, signal.text]] };
    case 'human-input': {
      const { text, decision } = signal;
      const heading = `${agent} (a person) ${decision ?? 'said'}`;
      return { heading, parts: text === undefined ? [] : [[TEXT, text]] };
    }
    case 'tool-call': {
      const { tool, args, result = null, error } = signal;
      const outcome = error
        ? (['error', error.message] as const)
        : (['result', flat(result)] as const);
      return {
        heading: `${agent} called ${nameOf(tool)}`,
        parts: [['arguments', flat(args)], outcome],
      };
    }
    case 'execution': {
      const { language, code, exitCode, output, timedOut } = signal;
      const end = timedOut ? 'timed out' : exitCode === null ? 'killed' : `exit code ${exitCode}`;
      return {
        heading: `${agent} ran ${nameOf(language)}`,
        parts: [
          ['code', code],
          [`output, ${end}`, output],
        ],
      };
    }
    case 'handoff':
      return {
        heading: `${agent} handed over to ${nameOf(signal.to)}`,
        parts: signal.text === undefined ? [] : [[TEXT, signal.text]],
      };
    case 'nested-start':
      return {
        heading: `${agent} started nested chat ${chatOf(signal)}`,
        parts: signal.text === undefined ? [] : [['task', signal.text]],
      };
    case 'nested-end':
      return {
        heading: `nested chat ${chatOf(signal)} ended`,
        parts: signal.text === undefined ? [] : [['result', signal.text]],
      };
    default:
      return { heading: `${agent}: ${signal.kind}`, parts: [] };
  }
}

/** The name of a chat; its id is different each time. */
function chatOf({ chatId, path }: { chatId: string; path: readonly string[] }): string {
  return nameOf(path.at(-1) ?? chatId);
}

function flat(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
