import { it } from 'vitest';
import { callSideBySide, WAYS } from './support/side-by-side.ts';

it.each(WAYS)('[AIS5] each of 200 parallel calls has a conversation of its own: %s', (_, call) =>
  callSideBySide(200, call),
);
