import { type Team, type TerminationCondition, TextMentionTermination } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { type DetectionOptions, type FindingKind, NO_DETECTORS } from '@teamfuse/core/detectors';
import { describe, expect, it } from 'vitest';
import {
  BreakerTermination,
  ExecutionStormTermination,
  guardTeam,
  HistoryDriftTermination,
  NestedCascadeTermination,
  RepetitionTermination,
  SpeakerCycleTermination,
} from '../../src/index.ts';
import { boss, caller, coder, fact, type TeamMaker, twoSpeakers } from '../support/teams.ts';

interface Case {
  readonly kind: FindingKind;
  readonly only: DetectionOptions;
  readonly condition: () => TerminationCondition;
  readonly loop: TeamMaker;
  /** Differs from the loop in one thing. */
  readonly twin: TeamMaker;
}

const thanks = (): string => 'You are welcome. Is there anything else I can do?';
const failure = (): { exitCode: number; output: string } => ({
  exitCode: 1,
  output: "ModuleNotFoundError: No module named 'pandas'",
});

/** A mail with all those before it below its own text. */
function mail(turn: number): string {
  return turn < 1 ? '' : `${fact(turn)}\n${mail(turn - 1).replace(/^(?=.)/gm, '> ')}`;
}

const CASES: readonly Case[] = [
  {
    kind: 'speaker-cycle',
    only: { ...NO_DETECTORS, speakerCycle: {} },
    condition: () => new SpeakerCycleTermination(),
    loop: twoSpeakers(() => 'Thank you very much, that is all.', thanks),
    twin: twoSpeakers(fact, thanks),
  },
  {
    kind: 'repetition',
    only: { ...NO_DETECTORS, repetition: {} },
    condition: () => new RepetitionTermination(),
    loop: caller(
      () => ({ q: 'weather' }),
      () => 'It is sunny.',
    ),
    twin: caller(() => ({ q: 'weather' }), fact),
  },
  {
    kind: 'execution-storm',
    only: { ...NO_DETECTORS, executionStorm: {} },
    condition: () => new ExecutionStormTermination(),
    loop: coder(failure),
    twin: coder((turn) => (turn % 2 === 1 ? failure() : { exitCode: 0, output: fact(turn) })),
  },
  {
    kind: 'history-drift',
    only: { ...NO_DETECTORS, historyDrift: {} },
    condition: () => new HistoryDriftTermination(),
    loop: twoSpeakers(
      (turn) => mail(2 * turn - 1),
      (turn) => mail(2 * turn),
    ),
    twin: twoSpeakers(
      (turn) => fact(2 * turn - 1),
      (turn) => fact(2 * turn),
    ),
  },
  {
    kind: 'nested-cascade',
    only: { ...NO_DETECTORS, nestedCascade: {} },
    condition: () => new NestedCascadeTermination(),
    loop: boss(
      () => 'Please check the numbers.',
      () => 'They are checked.',
      () => 'Let us check again.',
    ),
    twin: boss(fact, fact, fact),
  },
];

async function stopReason(team: Team): Promise<string | null> {
  return (await team.run({ task: 'Begin' })).stopReason;
}

describe.each(CASES)('$kind', ({ kind, only, condition, loop, twin }) => {
  it('[CDT1] stops a team as a condition of its own, by the trip’s reason', async () => {
    const termination = condition();
    const either = termination.or(new TextMentionTermination('never said'));
    const reason = await stopReason(loop({ terminationCondition: either }));
    expect(reason).not.toBe('Maximum number of turns 12 reached.');
    expect(reason).not.toBeNull();
    expect(termination.terminated).toBe(false);
  });

  it('[CDT1] leaves the healthy twin alone as a condition of its own', async () => {
    const reason = await stopReason(twin({ terminationCondition: condition() }));
    expect(reason).toBe('Maximum number of turns 12 reached.');
  });

  it('[CDT2] stops a team through BreakerTermination', async () => {
    const breaker = new Breaker(only);
    const terminationCondition = new BreakerTermination(breaker);
    const reason = await stopReason(loop({ terminationCondition }));
    expect(breaker.conversation().trip).toMatchObject({ kind, reason });
  });

  it('[CDT2] leaves the healthy twin alone through BreakerTermination', async () => {
    const breaker = new Breaker(only);
    await stopReason(twin({ terminationCondition: new BreakerTermination(breaker) }));
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[CDT3] stops a team through guardTeam', async () => {
    const breaker = new Breaker(only);
    const team = loop();
    guardTeam(team, breaker);
    const reason = await stopReason(team);
    expect(breaker.conversation().trip).toMatchObject({ kind, reason });
  });

  it('[CDT3] leaves the healthy twin alone through guardTeam', async () => {
    const breaker = new Breaker(only);
    const team = twin();
    guardTeam(team, breaker);
    expect(await stopReason(team)).toBe('Maximum number of turns 12 reached.');
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[CDT4] leaves the healthy twin alone with all detectors on', async () => {
    const breaker = new Breaker();
    const team = twin({ terminationCondition: new BreakerTermination(breaker) });
    guardTeam(team, breaker);
    await stopReason(team);
    expect(breaker.conversation().trip).toBeUndefined();
  });
});
