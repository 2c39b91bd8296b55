import { ListMemory, UnboundedChatCompletionContext } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';

const facts = [{ content: 'likes tea' }, { content: 'is tall' }];

describe('ListMemory', () => {
  it('[MEM1] adds one numbered system message to the context, and reports its entries', async () => {
    const context = new UnboundedChatCompletionContext();
    const memory = new ListMemory({ memoryContents: facts });
    expect(await memory.updateContext(context)).toEqual(facts);
    expect(await context.getMessages()).toEqual([
      {
        type: 'SystemMessage',
        content: '\nRelevant memory content (in chronological order):\n1. likes tea\n2. is tall\n',
      },
    ]);
  });

  it('[MEM2] adds nothing when it is empty', async () => {
    const context = new UnboundedChatCompletionContext();
    const memory = new ListMemory({ memoryContents: facts });
    await memory.clear();
    expect(await memory.updateContext(context)).toEqual([]);
    expect(await context.getMessages()).toEqual([]);
  });

  it('[MEM3] remembers what is added, and answers every query with all of it', async () => {
    const memory = new ListMemory();
    await memory.add({ content: 'a' });
    await memory.add({ content: 'b', mimeType: 'text/markdown' });
    expect(await memory.query('anything')).toEqual([
      { content: 'a' },
      { content: 'b', mimeType: 'text/markdown' },
    ]);
  });
});
