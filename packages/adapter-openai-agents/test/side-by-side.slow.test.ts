import { it } from 'vitest';
import { runSideBySide } from './support/side-by-side.ts';

it('[OAG12] each of 200 parallel runs has a conversation of its own', () => runSideBySide(200));
