import { Breaker, type Conversation } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { agentchatWith } from '../src/agentchat/library.ts';
import { groupchatWith } from '../src/groupchat/library.ts';
import { Watch } from '../src/guarded.ts';
import type { Library } from '../src/harness/library.ts';
import { type AnyVector, readVectorFiles } from '../src/harness/vector-files.ts';
import { committedVectors } from './support/fixtures.ts';
import { checkGuarded, failuresOf } from './support/guarded-cases.ts';

/** How many of the first fifty cases of a file fail. */
async function failuresOfSome<V extends AnyVector>(library: Library<V>, file: string) {
  const files = await readVectorFiles<V>(committedVectors(library.name));
  const cases = files.find(({ name }) => name.startsWith(file))?.cases.slice(0, 50) ?? [];
  return (await failuresOf(library, cases)).length;
}

/** A breaker that cannot be told anything. */
class DeafBreaker extends Breaker {
  override conversation(id: string): Conversation {
    const observe = (): never => {
      throw new Error('nobody listens');
    };
    return Object.assign(super.conversation(id), { observe });
  }
}

describe('cases in which everything is guarded and nothing is stopped', () => {
  test('[CONF20] are the same as without a guard, for teams', () =>
    checkGuarded('agentchat', 10, { played: 223, guarded: 96, signals: 800 }));

  test('[CONF20] are the same as without a guard, for agents', () =>
    checkGuarded('groupchat', 10, { played: 194, guarded: 191, signals: 1_300 }));

  test('[CONF20] fail where what a team says is changed on its way', async () => {
    const library = agentchatWith((subject) => {
      if (subject.kind === 'agent') return subject;
      const [first] = subject.team.participants;
      if (first && 'onMessagesStream' in first) first.onMessagesStream = async function* () {};
      return subject;
    });
    expect(await failuresOfSome(library, 'teams')).toBeGreaterThan(20);
  });

  test('[CONF20] fail where what agents say is changed on its way', async () => {
    const library = groupchatWith((agents) => {
      for (const agent of agents) {
        agent.registerHook('processMessageBeforeSend', ({ message }) =>
          typeof message === 'string' ? `${message}!` : message,
        );
      }
    });
    expect(await failuresOfSome(library, 'chats')).toBeGreaterThan(20);
  });

  test('[CONF20] fail where a guard gives up', async () => {
    const watch = new Watch(() => new DeafBreaker());
    expect(await failuresOfSome(watch.agentchat(), 'teams')).toBeGreaterThan(20);
  });
});
