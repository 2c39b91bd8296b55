import { beforeEach, it, vi } from 'vitest';
import { runSideBySide } from './support/side-by-side.ts';

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

it('[LCN18] guardGraph mixes no conversations of 200 parallel runs, and keeps nothing of them', () =>
  runSideBySide(200));
