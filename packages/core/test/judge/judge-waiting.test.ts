import { describe, expect, it } from 'vitest';
import { heard, isThere, judged } from '../support/judge.ts';
import { mainOf, modelRequest, turn, withMain } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

describe('a judge beside the conversation', () => {
  it('[JDG9] holds nobody up, and stops the team once it answers', async () => {
    const { breaker, judge, stall, say } = judged();
    stall();
    expect(breaker.admit(turn('a'))).toMatchObject({ isAdmitted: true });
    say('One moment more, please.');
    await judge.says({ probability: 0.9, reason: 'Nothing is decided.' });
    expect(breaker.conversation().trip?.reason).toContain('Nothing is decided.');
    expect(breaker.admit(turn('a'))).toMatchObject({ isAdmitted: false });
  });

  it('[JDG9] is waited for by answered(), and not by settled()', async () => {
    const { breaker, judge, stall } = judged();
    stall();
    expect(breaker.conversation().settled()).toBeUndefined();
    const answered = breaker.conversation().answered();
    expect(await isThere(answered)).toBe(false);
    await judge.says(1);
    expect(await answered).toMatchObject({ kind: 'speaker-cycle' });
  });

  it('[JDG9] has one question at a time', async () => {
    const { judge, stall, say } = judged();
    stall();
    for (let i = 40; i < 49; i++) say(staleText(i));
    expect(judge.questions).toHaveLength(1);
    await judge.says(0);
    say(staleText(49));
    expect(judge.questions).toHaveLength(2);
  });

  it('[JDG10] lets a finding wait that is only suspected, and heeds it if the judge fails', async () => {
    const { breaker, judge, stall, say, errors } = judged();
    stall();
    expect(say('trip')).toBeUndefined();
    await judge.fails(new Error('timeout'));
    expect(errors).toEqual([['judge', new Error('timeout')]]);
    expect(breaker.conversation().trip?.reason).toBe('a said trip');
  });

  it('[JDG10] drops such a finding at a no, and names it at a yes', async () => {
    for (const [answer, kind] of [
      [0, undefined],
      [1, 'custom:said'],
    ] as const) {
      const { breaker, judge, stall, say } = judged();
      stall();
      say('trip');
      await judge.says(answer);
      expect(breaker.conversation().trip?.kind).toBe(kind);
    }
  });

  it('[JDG11] gives a question up when a person speaks, at a reset, a new run or a stop', async () => {
    type Judged = ReturnType<typeof judged>;
    const ends: ((judged: Judged) => void)[] = [
      ({ breaker }) =>
        breaker.observe({ kind: 'human-input', at: 0, agent: 'p', text: 'Go on like that.' }),
      ({ breaker }) => breaker.reset(),
      ({ breaker }) => breaker.conversation().beginRun(),
      ({ breaker }) => breaker.restore(breaker.snapshot()),
    ];
    for (const end of ends) {
      const one = judged();
      one.stall();
      end(one);
      expect(await isThere(one.breaker.conversation().answered())).toBe(true);
      await one.judge.says(1);
      expect(one.breaker.conversation().trip).toBeUndefined();
    }
    const stopped = judged();
    stopped.stall();
    stopped.breaker.stop('enough');
    await stopped.judge.says(1);
    expect(stopped.breaker.conversation().trip?.reason).toBe('enough');
  });

  it('[JDG12] keeps its counts and the task in a snapshot, without secrets', () => {
    const { breaker, stall } = judged();
    breaker.observe({
      kind: 'human-input',
      at: 0,
      agent: 'p',
      text: 'Plan the parade, password=x1',
    });
    stall();
    expect(mainOf(breaker.snapshot()).judge).toMatchObject({
      task: 'Plan the parade, password=[redacted]',
      questions: 1,
    });
    const restored = judged();
    restored.breaker.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(restored.breaker.judged.questions).toBe(1);
  });

  it('[JDG8] cannot be had where excerpts are off', () => {
    expect(() => judged({ excerpts: false })).toThrow(
      'judge cannot be combined with excerpts: false',
    );
  });

  it('[JDG12] refuses a snapshot in which something is wrong', () => {
    const { breaker } = judged();
    const snapshot = withMain(breaker.snapshot(), (main) => ({ ...main, judge: { task: 3 } }));
    expect(() => breaker.restore(snapshot)).toThrow('judge.task');
  });
});

describe('a judge that blocks', () => {
  it('[JDG13] lets every request wait for its answer, and so does settled()', async () => {
    const { breaker, judge, stall } = judged({}, { blocking: true });
    stall();
    const asked = breaker.admit(turn('a'));
    const settled = breaker.conversation().settled();
    expect(await isThere(asked)).toBe(false);
    expect(await isThere(settled)).toBe(false);
    await judge.says(1);
    expect(await asked).toMatchObject({ isAdmitted: false });
    expect(await settled).toMatchObject({ kind: 'speaker-cycle' });
  });

  it('[JDG13] admits what waited once it says no', async () => {
    const { breaker, judge, stall } = judged({}, { blocking: true });
    stall();
    const asked = breaker.admit(modelRequest());
    await judge.says(0);
    expect(await asked).toMatchObject({ isAdmitted: true });
  });

  it('[JDG13] refuses the very request that raises the question', async () => {
    const { breaker, judge } = judged({}, { blocking: true });
    const handOver = (i: number) =>
      breaker.admit({ kind: 'handoff', at: 0, agent: 'a', to: 'b', text: staleText(i) });
    let asked = handOver(0);
    for (let i = 1; i < 20 && judge.questions.length === 0; i++) asked = handOver(i);
    expect(await isThere(asked)).toBe(false);
    await judge.says(1);
    await heard();
    expect(await asked).toMatchObject({ isAdmitted: false });
  });

  it('[LAP17] is no wait of those whom it holds up', async () => {
    let now = 0;
    const { breaker, judge } = judged(
      { now: () => now },
      { blocking: true, askAt: 0.5, maxQuestions: 100 },
    );
    const call = { kind: 'tool-call', agent: 'a', tool: 'status', args: {} } as const;
    let trips = 0;
    breaker.on('trip', () => trips++);
    for (let i = 0; i < 6 && trips === 0; i++) {
      const made = breaker.run(call, async () => 'running').catch(() => {});
      now += 40_000;
      await judge.says(0);
      await made;
      now += 1000;
    }
    expect(judge.questions.length).toBeGreaterThan(0);
    expect(trips).toBe(1);
  });
});
