import { it } from 'vitest';
import { checkDelivery } from './delivery.ts';

it('[TEAM9] [TEAM12] [GF13] a participant receives each message of the others once, in order, by its next turn, in 300 teams', () =>
  checkDelivery(300));
