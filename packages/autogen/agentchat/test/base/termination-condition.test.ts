import {
  AndTerminationCondition,
  and,
  type ChatItem,
  MaxMessageTermination,
  OrTerminationCondition,
  or,
  RuntimeError,
  StopMessage,
  TerminatedException,
  type Termination,
  TerminationCondition,
  TextMentionTermination,
  ValueError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { text } from '../said.ts';

const mention = (word: string): TextMentionTermination => new TextMentionTermination(word);
const max = (count: number): MaxMessageTermination => new MaxMessageTermination(count);

/** A condition of a user's own that throws. */
class Broken extends TerminationCondition {
  readonly terminated = false;

  call(): StopMessage | null {
    throw new Error('broken');
  }

  reset(): void {}
}

describe('AndTerminationCondition', () => {
  it('[TERM3] joins the texts in the order in which the children stopped', async () => {
    const both = mention('b').and(mention('a'));
    expect(await both.call([text('a')])).toBeNull();
    const stop = await both.call([text('b')]);
    expect(stop?.content).toBe("Text 'a' mentioned, Text 'b' mentioned");
    expect(stop?.source).toBe('TextMentionTermination, TextMentionTermination');
  });

  it('[TERM3] does not call a child that has stopped, so that its count stays', async () => {
    const both = max(2).and(mention('end'));
    await both.call([text('1'), text('2')]);
    await both.call([text('3'), text('4')]);
    const stop = await both.call([text('end')]);
    expect(stop?.content).toBe(
      "Maximum number of messages 2 reached, current message count: 2, Text 'end' mentioned",
    );
  });

  it('[TERM4] leaves out the text of a child that was terminated before', async () => {
    const early = mention('a');
    await early.call([text('a')]);
    const stop = await early.and(mention('b')).call([text('b')]);
    expect(stop?.content).toBe("Text 'b' mentioned");
  });

  it('[TERM4] is terminated at once without children', async () => {
    const none = new AndTerminationCondition();
    expect(none.terminated).toBe(true);
    await expect(none.call([])).rejects.toThrow(TerminatedException);
  });

  it('[TERM6] throws a TerminatedException with a full stop once it has stopped', async () => {
    const both = mention('a').and(mention('b'));
    await both.call([text('a b')]);
    await expect(both.call([])).rejects.toThrow(
      new TerminatedException('Termination condition has already been reached.'),
    );
  });

  it('[TERM3] forgets what it has collected when it is reset', async () => {
    const both = mention('a').and(mention('b'));
    await both.call([text('a')]);
    await both.reset();
    expect(await both.call([text('b')])).toBeNull();
    expect(both.terminated).toBe(false);
  });
});

describe('OrTerminationCondition', () => {
  it('[TERM5] joins the texts of the children that stop on one delta, in their order', async () => {
    const stop = await max(2)
      .or(mention('stop'))
      .call([text('a'), text('stop')]);
    expect(stop?.content).toBe(
      "Maximum number of messages 2 reached, current message count: 2, Text 'stop' mentioned",
    );
  });

  it('[TERM5] lets every child see every delta', async () => {
    const count = max(9);
    const either = mention('x').or(count);
    await either.call([text('x')]);
    await mention('x')
      .or(count)
      .call([text('1'), text('2')]);
    const stop = await count.call(Array.from({ length: 6 }, () => text('.')));
    expect(stop?.content).toContain('current message count: 9');
  });

  it('[TERM5] never stops without children', async () => {
    expect(await new OrTerminationCondition().call([text('a')])).toBeNull();
  });

  it('[TERM6] throws a RuntimeError once it has stopped', async () => {
    const either = mention('a').or(mention('b'));
    await either.call([text('a')]);
    await expect(either.call([])).rejects.toThrow(
      new RuntimeError('Termination condition has already been reached'),
    );
  });

  it('[TERM7] shows the delta to the siblings of a child that throws', async () => {
    const count = max(5);
    await expect(new Broken().or(count).call([text('1'), text('2')])).rejects.toThrow('broken');
    const stop = await count.call([text('3'), text('4'), text('5')]);
    expect(stop?.content).toContain('current message count: 5');
  });
});

describe('combining conditions', () => {
  it('[TERM8] groups from the left, by method and by function', () => {
    const [a, b, c] = [mention('a'), mention('b'), mention('c')];
    const byMethod = a.or(b).or(c);
    const byFunction = or(a, b, c);
    for (const { conditions } of [byMethod, byFunction]) {
      expect(conditions[0]).toMatchObject({ conditions: [a, b] });
      expect(conditions[1]).toBe(c);
    }
    expect(and(a, b, c).conditions[0]).toBeInstanceOf(AndTerminationCondition);
  });

  it('[TERM9] takes whatever has the shape of a condition', async () => {
    const own: Termination = {
      terminated: false,
      call: (messages: readonly ChatItem[]) =>
        messages.length > 1 ? new StopMessage({ content: 'two', source: 'own' }) : null,
      reset() {},
    };
    const stop = await or(own, mention('never')).call([text('a'), text('b')]);
    expect(stop?.content).toBe('two');
  });

  it('[TERM1] takes nothing at all for a wish to go on', async () => {
    const silent = { terminated: false, call: () => undefined as unknown as null, reset() {} };
    expect(await or(silent, mention('x')).call([text('a')])).toBeNull();
    expect(await and(silent, mention('a')).call([text('a')])).toBeNull();
  });

  it.each([undefined, null, 'TERMINATE', () => null, { call() {} }])(
    '[TERM9] refuses %j by its place',
    (value) => {
      expect(() => mention('a').or(value as unknown as Termination)).toThrow(ValueError);
      expect(() => mention('a').or(value as unknown as Termination)).toThrow(
        /^OrTerminationCondition: condition 2 must be a termination condition/,
      );
    },
  );
});

describe('TerminationCondition', () => {
  it('[COMP7] cannot be dumped unless a subclass says how', () => {
    expect(() => new Broken().dumpComponent()).toThrow('does not support dumping to config');
  });
});
