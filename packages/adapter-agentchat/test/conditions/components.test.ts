import {
  builtInComponents,
  ComponentRegistry,
  MaxMessageTermination,
  TerminationCondition,
} from '@teamfuse/agentchat';
import { Breaker, InvalidOptionError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import {
  BreakerTermination,
  ExecutionStormTermination,
  guardComponents,
  HistoryDriftTermination,
  NestedCascadeTermination,
  RepetitionTermination,
  SpeakerCycleTermination,
} from '../../src/index.ts';
import { text } from '../support/items.ts';

const registry = new ComponentRegistry([...builtInComponents, ...guardComponents]);

const CONDITIONS = [
  ['SpeakerCycleTermination', new SpeakerCycleTermination({ limit: 4 }), { limit: 4 }],
  ['ExecutionStormTermination', new ExecutionStormTermination({ limit: 6 }), { limit: 6 }],
  ['HistoryDriftTermination', new HistoryDriftTermination({ ratio: 2 }), { ratio: 2 }],
  ['NestedCascadeTermination', new NestedCascadeTermination({ maxDepth: 2 }), { maxDepth: 2 }],
  ['RepetitionTermination', new RepetitionTermination(), {}],
] as const;

describe.each(CONDITIONS)('%s', (label, condition, config) => {
  it('[CMP1] is dumped under its provider with the options of its detector', () => {
    expect(condition.dumpComponent()).toMatchObject({
      provider: `teamfuse.conditions.${label}`,
      component_type: 'termination',
      label,
      config,
    });
  });

  it('[CMP2] loads from its dump, alone and inside others', () => {
    const loaded = registry.load(condition.dumpComponent(), TerminationCondition);
    expect(loaded).toBeInstanceOf(condition.constructor);
    const both = condition.or(new MaxMessageTermination(3));
    const again = registry.load(both.dumpComponent(), TerminationCondition);
    expect(again.dumpComponent()).toEqual(both.dumpComponent());
  });

  it('[CMP3] is back at the beginning once it is reset', async () => {
    const same = [text('a', 'Is there anything else?'), text('b', 'No, thank you.')];
    const say = () => same.map(({ source, content }) => text(source, content));
    const repeat = async (): Promise<boolean[]> => {
      const stops: boolean[] = [];
      for (let round = 0; round < 8; round++) {
        if (!condition.terminated) stops.push((await condition.call(say())) !== null);
      }
      await condition.reset();
      return stops;
    };
    const first = await repeat();
    expect(await repeat()).toEqual(first);
  });
});

describe('conditions of one detector', () => {
  it('[CMP4] refuse a wrong option and name it', () => {
    expect(() => new SpeakerCycleTermination({ limit: 1 })).toThrow(InvalidOptionError);
    const dump = { ...new RepetitionTermination().dumpComponent(), config: { limit: 'often' } };
    expect(() => registry.load(dump, TerminationCondition)).toThrow(/repetition.limit/);
  });

  it('[CMP5] can be written down; a condition over a breaker at work cannot', () => {
    expect(() => new BreakerTermination(new Breaker()).dumpComponent()).toThrow(
      'This component does not support dumping to config',
    );
  });
});
