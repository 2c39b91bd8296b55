import { SIGNAL_KINDS } from '../../src/signal/signal-fields.ts';
import { testPlanted } from './planted-secrets.ts';

const SHOWN = ['text', 'tool', 'args', 'result', 'error', 'output', 'trigger', 'to', 'chosen'];

testPlanted(SIGNAL_KINDS, SHOWN);
