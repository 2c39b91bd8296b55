import { it } from 'vitest';
import { WAYS } from './support/contract-harness.ts';
import { networks, oneAgent, ownAgents } from './support/side-by-side.ts';

it('[MAS8] each of 200 parallel runs has a conversation of its own', () => ownAgents(200));

it.each(WAYS)('[MAS8] each of 40 parallel calls of one agent does, too: %s', (way) =>
  oneAgent(40, way),
);

it('[MAS8] each of 10 parallel networks of one agent does, too', () => networks(10));
