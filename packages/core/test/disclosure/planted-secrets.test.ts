import { testPlanted } from './planted-secrets.ts';

testPlanted(['message', 'tool-call'], ['text', 'tool', 'args', 'result', 'error']);
