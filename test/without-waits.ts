import { beforeEach } from 'vitest';

/** Tests of the contract that wait for a second; tests of the packages themselves do as well. */
const WAITS = /^\[ADP(?:56|59|62)\] /;

beforeEach(({ task, skip }) => skip(WAITS.test(task.name)));
