import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** The file that `command` means when `path` lists the directories of programs; `undefined` when there is none. */
export function findProgram(command: string, path: string | undefined): string | undefined {
  if (command.includes('/')) return command;
  const places = (path ?? '').split(delimiter).filter((directory) => directory !== '');
  return places.map((directory) => resolve(directory, command)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
