import { describe } from 'vitest';
import { groupchat } from '../../src/groupchat/library.ts';
import { libraryContract } from '../support/library-contract.ts';

describe('AutoGen 0.2', () => {
  libraryContract(groupchat, { every: 1, total: 1932, maxDeviatingShare: 0.075 });
});
