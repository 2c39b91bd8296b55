import {
  type ChatItem,
  MaxMessageTermination,
  StopMessage,
  TerminatedException,
  TextMentionTermination,
  TextMessage,
  ThoughtEvent,
  when,
} from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../src/breaker-termination.ts';
import { alarm } from './support/alarm.ts';
import { text } from './support/items.ts';
import { ofKind, recorded } from './support/signals.ts';

function setUp(options: BreakerOptions = {}) {
  let now = 0;
  const breaker = new Breaker({ now: () => now, ...options });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { breaker, pass, condition: new BreakerTermination(breaker) };
}

const say = (content: string): ChatItem[] => [text('writer', content)];

const WORD = { source: 'user', content: 'Go on' };

/** Words enough to be progress. */
const NEWS =
  'The harbour bridge opened yesterday after engineers replaced seven rusted cables, widened both lanes and repainted every railing in green.';

/** A breaker that opens like for a loop at a certain word, and cools down. */
function trippingAt(word: string): BreakerOptions {
  return { detectors: [() => alarm(word)], cooldownMs: 1000 };
}

describe('BreakerTermination', () => {
  it('[TRM1] goes on while the breaker is closed', async () => {
    const { condition } = setUp();
    expect(await condition.call(say('A draft'))).toBeNull();
    expect(condition.terminated).toBe(false);
  });

  it('[TRM1] stops with the trip’s reason, from the class by name', async () => {
    const { breaker, condition } = setUp({ maxMessages: 2 });
    const stop = await condition.call([...say('one'), ...say('two')]);
    expect(stop).toBeInstanceOf(StopMessage);
    expect(stop?.content).toBe(breaker.conversation().trip?.reason);
    expect(stop?.source).toBe('BreakerTermination');
  });

  it('[TRM2] stays terminated until it is reset', async () => {
    const { condition } = setUp({ maxMessages: 1 });
    await condition.call(say('one'));
    expect(condition.terminated).toBe(true);
    await expect(condition.call([])).rejects.toThrow(TerminatedException);
    await condition.reset();
    expect(condition.terminated).toBe(false);
  });

  it('[TRM2] hears nothing while it is terminated', async () => {
    const { breaker, condition } = setUp({ maxMessages: 1 });
    const signals = recorded(breaker);
    await condition.call(say('one'));
    await expect(condition.call(say('two'))).rejects.toThrow(TerminatedException);
    expect(signals.map((signal) => signal.text)).toEqual(['one']);
  });

  it('[TRM3] starts the declared limits afresh when it is reset', async () => {
    const { condition } = setUp({ maxMessages: 2 });
    await condition.call(say('one'));
    await condition.reset();
    expect(await condition.call(say('two'))).toBeNull();
  });

  it('[TRM3] leaves an open circuit open when it is reset', async () => {
    const { breaker, condition } = setUp(trippingAt('stuck'));
    await condition.call(say('stuck'));
    await condition.reset();
    expect(breaker.conversation().state.status).toBe('open');
    const stop = await condition.call([text('user', 'Try again')]);
    expect(stop?.content).toBe('somebody said stuck');
  });

  it('[TRM4] tells each message once, however many conditions watch for the breaker', async () => {
    const { breaker, condition } = setUp();
    const signals = recorded(breaker);
    const other = new BreakerTermination(breaker);
    const items = say('A draft');
    await condition.or(other).call(items);
    await other.call([...items, ...say('Another')]);
    expect(signals.map((signal) => signal.text)).toEqual(['A draft', 'Another']);
  });

  it('[TRM5] takes what user says for a person’s word at the start of a run only', async () => {
    const { breaker, condition } = setUp();
    const signals = recorded(breaker);
    await condition.call([text('user', 'Write')]);
    await condition.call([text('user', 'continue')]);
    await condition.reset();
    await condition.call([text('user', 'Once more')]);
    expect(ofKind(signals, 'human-input').map((signal) => signal.text)).toEqual([
      'Write',
      'Once more',
    ]);
  });

  it.each([
    [
      'a model',
      [new TextMessage({ ...WORD, modelsUsage: { promptTokens: 9, completionTokens: 1 } })],
    ],
    ['an event', [new ThoughtEvent({ source: 'writer', content: 'hm' }), new TextMessage(WORD)]],
  ])('[TRM5] does not take the first call for the task if %s is behind it', async (_, items) => {
    const { breaker, condition } = setUp();
    const signals = recorded(breaker);
    await condition.call(items);
    expect(ofKind(signals, 'human-input')).toEqual([]);
    expect(ofKind(signals, 'message')).toMatchObject([{ text: WORD.content }]);
  });

  it('[TRM6] composes with other conditions through when, or and and', async () => {
    const { condition } = setUp({ maxMessages: 1 });
    const any = when`${new MaxMessageTermination(9)} | ${new TextMentionTermination('OK')} | ${condition}`;
    expect(await any.call(say('one'))).toMatchObject({ source: 'BreakerTermination' });
    await any.reset();
    expect(any.terminated).toBe(false);
    const both = setUp({ maxMessages: 1 }).condition.and(new TextMentionTermination('OK'));
    expect(await both.call(say('one'))).toBeNull();
    expect((await both.call(say('OK')))?.source).toBe('BreakerTermination, TextMentionTermination');
  });
});

describe('BreakerTermination on a half-open circuit', () => {
  it('[TRM7] lets one turn be taken after the cool-down, and goes on if it brings something new', async () => {
    const { breaker, condition, pass } = setUp(trippingAt('stuck'));
    await condition.call(say('stuck'));
    await condition.reset();
    pass(1000);
    expect(await condition.call([text('user', 'Try again')])).toBeNull();
    expect(await condition.call(say(NEWS))).toBeNull();
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[TRM7] stops after a turn that brings nothing new, for twice as long', async () => {
    const { breaker, condition, pass } = setUp(trippingAt('stuck'));
    await condition.call(say('the same as ever'));
    await condition.call(say('stuck'));
    await condition.reset();
    pass(1000);
    expect(await condition.call([text('user', 'Try again')])).toBeNull();
    expect(await condition.call(say('the same as ever'))).not.toBeNull();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  it('[TRM7] takes a turn for the probe although another condition has reported part of it', async () => {
    const { breaker, condition, pass } = setUp(trippingAt('stuck'));
    const told = say('known');
    await new BreakerTermination(breaker).call(told);
    await condition.call(say('stuck'));
    await condition.reset();
    pass(1000);
    await condition.call([text('user', 'Try again')]);
    expect(await condition.call([...told, ...say(NEWS)])).toBeNull();
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[TRM8] does not take a turn for the probe that was over when the circuit opened', async () => {
    const { breaker, condition } = setUp({ ...trippingAt('stuck'), cooldownMs: 0 });
    const items = say('stuck');
    await new BreakerTermination(breaker).call(items);
    expect(await condition.call(items)).not.toBeNull();
    expect(breaker.conversation().state).toMatchObject({ openings: 1 });
  });
});

describe('BreakerTermination in the run in which the circuit opens', () => {
  it('[TRM8] takes no later turn for a probe, however short the cool-down', async () => {
    const { breaker, condition } = setUp({ ...trippingAt('stuck'), cooldownMs: 0 });
    await condition.call([text('user', 'Go')]);
    await new BreakerTermination(breaker).call(say('stuck'));
    expect((await condition.call(say(NEWS)))?.content).toBe('somebody said stuck');
  });
});

describe('BreakerTermination and errors', () => {
  it('[TRM9] reports what cannot be observed and goes on', async () => {
    const errors: unknown[] = [];
    const breaker = new Breaker();
    const condition = new BreakerTermination(breaker, { onError: (error) => errors.push(error) });
    const broken = text('writer', 'x');
    broken.toText = () => {
      throw new Error('no text today');
    };
    expect(await condition.call([broken])).toBeNull();
    expect(errors).toMatchObject([{ during: 'observe', error: { message: 'no text today' } }]);
  });

  it('[TRM9] reports a turn that it could not ask for, and stays stopped', async () => {
    const { breaker, pass } = setUp(trippingAt('stuck'));
    const errors: unknown[] = [];
    const condition = new BreakerTermination(breaker, { onError: (error) => errors.push(error) });
    await condition.call(say('stuck'));
    await condition.reset();
    pass(1000);
    await condition.call([text('user', 'Try again')]);
    const admit = (): never => {
      throw new Error('a bug');
    };
    Object.assign(breaker.conversation(''), { admit });
    expect((await condition.call(say(NEWS)))?.content).toBe('somebody said stuck');
    expect(errors).toMatchObject([{ during: 'observe', error: { message: 'a bug' } }]);
  });

  it('[TRM9] stops an open team even if nothing can be observed', async () => {
    const { breaker } = setUp();
    const condition = new BreakerTermination(breaker, { onError: () => {} });
    breaker.stop('enough');
    const broken = text('writer', 'x');
    broken.toText = () => {
      throw new Error('no text today');
    };
    expect((await condition.call([broken]))?.content).toBe('enough');
  });

  it('[TRM10] hides neither the trip nor the stop behind a listener that throws', async () => {
    const { breaker, condition } = setUp({ maxMessages: 1 });
    breaker.on('trip', () => {
      throw new Error('pager is down');
    });
    expect(await condition.call(say('one'))).not.toBeNull();
  });

  it.each([[undefined], [{}], ['breaker'], [null]])(
    '[TRM11] refuses %j for a breaker, saying what it expects',
    (wrong) => {
      // @ts-expect-error What a caller without types may pass.
      expect(() => new BreakerTermination(wrong)).toThrow(
        /^cannot guard BreakerTermination: expected a Breaker, received/,
      );
    },
  );
});
