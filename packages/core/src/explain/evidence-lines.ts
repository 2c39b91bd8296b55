import type { SignalRef, TripEvidence } from '../circuit/trip.ts';
import { cleanText } from '../common/excerpt.ts';

const FIRST_LINES = 4;
const LAST_LINES = 8;
const NAME_LENGTH = 24;
const KIND_LENGTH = 16;
const TEXT_LENGTH = 110;

type Row = readonly [index: string, agent: string, kind: string, text: string];

/**
 * The signals of the evidence, one per line, and the gaps between them; ends with an empty line if there are any.
 *
 * Columns are two spaces apart. No text of the team contains two spaces in a row, so that it cannot imitate a column.
 */
export function evidenceLines({ indices, signals }: TripEvidence): string[] {
  const ordered = [...new Set(indices)].sort((a, b) => a - b);
  if (ordered.length === 0) return [];
  const refs = new Map(signals.map((ref) => [ref.index, ref]));
  const isLong = ordered.length > FIRST_LINES + LAST_LINES;
  const shown = isLong
    ? [...ordered.slice(0, FIRST_LINES), ...ordered.slice(-LAST_LINES)]
    : ordered;
  const rows = shown.map((index) => rowOf(index, refs.get(index)));
  const [indexWidth, agentWidth, kindWidth] = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => lengthOf(row[column] as string))),
  ) as [number, number, number];

  const lines: string[] = [];
  for (const [i, [index, agent, kind, text]] of rows.entries()) {
    const hidden = isLong && i === FIRST_LINES ? ordered.length - shown.length : 0;
    const others = i === 0 ? 0 : (shown[i] as number) - (shown[i - 1] as number) - 1 - hidden;
    const gap = gapOf(hidden, others);
    if (gap !== '') lines.push(`  ${' '.repeat(indexWidth)}  ${gap}`);
    const cells = [index.padStart(indexWidth), pad(agent, agentWidth), pad(kind, kindWidth), text];
    lines.push(`  ${cells.join('  ')}`.trimEnd());
  }
  if (signals.length > 0 && signals.every(({ excerpt }) => excerpt === undefined)) {
    lines.push('  (what was said is not quoted: excerpts are off)');
  }
  return [...lines, ''];
}

function rowOf(index: number, ref: SignalRef | undefined): Row {
  if (ref === undefined) return [`#${index}`, '(no longer remembered)', '', ''];
  const { agent, kind, excerpt = '' } = ref;
  return [
    `#${index}`,
    cleanText(agent, NAME_LENGTH) || '-',
    cleanText(kind, KIND_LENGTH),
    cleanText(excerpt, TEXT_LENGTH),
  ];
}

function gapOf(hidden: number, others: number): string {
  const more = hidden > 0 ? `${hidden} more like these` : '';
  const between = others > 0 ? `${others} other ${others === 1 ? 'signal' : 'signals'}` : '';
  const both = [more, between].filter((part) => part !== '').join(', ');
  return both === '' ? '' : `(${both})`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - lengthOf(text));
}

function lengthOf(text: string): number {
  return [...text].length;
}
