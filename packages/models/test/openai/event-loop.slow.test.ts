import { describe } from 'vitest';
import { testServers } from '../support/busy-servers.ts';

// Sharing the processor with other programs costs time that is not this one's.
describe('a server that would keep the process busy', { retry: 3 }, () => {
  testServers([
    ['streams a word without end', true, ['BAD_RESPONSE']],
    ['streams words without end', true, ['TIMEOUT']],
    ['drips a stream without a word', true, ['TIMEOUT']],
    ['sends a whole stream and leaves it open', true, ['TIMEOUT']],
    ['sends an answer without end', false, ['BAD_RESPONSE', 'TIMEOUT']],
    ['drips its headers', false, ['TIMEOUT']],
    ['drips its body', false, ['TIMEOUT']],
    ['promises more bytes than it sends', false, ['TIMEOUT']],
  ]);
});
