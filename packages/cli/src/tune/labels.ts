import { readFileSync } from 'node:fs';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';

/** Which conversations are loops, by their ids. */
export type Labels = ReadonlyMap<string, boolean>;

/**
 * Reads labels: one JSON object a line, `{"id": "…", "loop": true}`; other fields are passed over.
 * @throws {@link BadInputError} naming file and line.
 */
export function readLabels(path: string): Labels {
  let text: string;
  try {
    // It leaves out the mark that editors put in front of UTF-8.
    text = new TextDecoder().decode(readFileSync(path));
  } catch (error) {
    throw new BadInputError(path, fileProblem(error), { cause: error });
  }
  const labels = new Map<string, boolean>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { id, loop } = labelOf(line) ?? {};
    if (typeof id !== 'string' || typeof loop !== 'boolean') {
      throw new BadInputError(`${path}:${i + 1}`, 'expected {"id": "…", "loop": true or false}');
    }
    labels.set(id, loop);
  }
  return labels;
}

function labelOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(line));
  } catch {
    return undefined;
  }
}
