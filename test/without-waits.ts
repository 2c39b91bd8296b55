import { beforeEach } from 'vitest';

/** Tests that wait for a second after a run has taken too long: the tests of the kit's runs do as well. */
const WAITS = /^\[ADP(?:56|59|62)\] |(?:no longer than|ended by) the run time$/;

beforeEach(({ task, skip }) => skip(WAITS.test(task.name)));
