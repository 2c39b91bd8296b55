import { testAttacks } from './try-attacks.ts';

testAttacks(1);
