import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /\.[cm]?[jt]sx?$/;
/** Folders of code that others wrote, and hidden ones. */
const NOT_OURS = /^(?:node_modules$|\.)/;
/** More than a project has that one person can oversee. */
const MAX_FILES = 5000;

/** Whether a source file of a project holds one of these texts. */
export function isInSources(project: string, texts: readonly string[]): boolean {
  for (const file of sourcesIn(project)) {
    const source = read(file);
    if (texts.some((text) => source.includes(text))) return true;
  }
  return false;
}

/** The source files of a folder, those nearest to it first. */
function* sourcesIn(project: string): Generator<string> {
  const folders = [project];
  let files = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NOT_OURS.test(entry.name)) folders.push(path);
      if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
      if (++files > MAX_FILES) return;
      yield path;
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
