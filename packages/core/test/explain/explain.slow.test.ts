import { it } from 'vitest';
import { explainAnything } from './alarms.ts';

it('[EXP7] an explanation stays bounded and clean, and shows or counts every signal, whatever comes', () =>
  explainAnything(150));
