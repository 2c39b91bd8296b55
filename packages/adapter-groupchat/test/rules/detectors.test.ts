import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import type { NestedOpening, ToolFunction } from '@teamfuse/groupchat';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { speaker } from '../support/agents.ts';
import {
  expectHealthy,
  expectLoop,
  inGroup,
  inPairs,
  type Play,
  play,
  withExecutor,
  withTools,
} from '../support/plays.ts';

/** An assistant that calls one tool over and over, and the agent that runs it. */
function withTool(calls: readonly string[], makeTool: () => ToolFunction): Play {
  return withTools(
    calls.map((args) => ['search_orders', args]),
    () => ({ search_orders: makeTool() }),
  );
}

/** A coder who writes one program after the other, and an agent that really runs them. */
function withCode(programs: readonly string[]): Play {
  return async (options) => {
    await using executor = new LocalCommandLineCodeExecutor({ timeoutMs: 20_000 });
    const attempts = programs.map(
      (code, at) => `Attempt ${at + 1}:\n\`\`\`python\n${code}\n\`\`\``,
    );
    return await withExecutor(executor, attempts, options);
  };
}

describe('in a group', () => {
  const courtesies = [
    'Thank you for your kind words.',
    'It was a pleasure to work with you.',
    'Have a wonderful day, all of you.',
    'I really appreciate your help.',
    'Take care, and all the best.',
    'You are most welcome, as ever.',
    'That is very kind of you.',
    'Many thanks, and goodbye for now.',
  ];
  /** Two courtesies in each message, and no two messages alike. */
  const thanks = (rounds: number): Play => {
    const names = ['planner', 'writer', 'critic'];
    const says = (at: number): string =>
      [at, at + 1 + Math.floor(at / 8)].map((one) => courtesies[one % 8]).join(' ');
    const lines = names.map((name, who) => [
      name,
      Array.from({ length: rounds }, (_, round) => says(3 * round + who)),
    ]);
    return inGroup(Object.fromEntries(lines), 'R-7.pdf has 41 pages, 12 tables, 312 notes.');
  };

  test('[GCD1] [SPK1] thanks in ever another order trip', async () => {
    const trip = await expectLoop(thanks(10), 'speakerCycle');
    expect(trip?.basis).toBe('suspected');
  });

  test('[GCD1] [REP11] thanks in ever another order are a standstill', async () => {
    const trip = await expectLoop(thanks(10), 'repetition');
    expect(trip?.reason).toContain('have added almost nothing new for a while');
    expect(trip?.evidence).toMatchObject({ limit: 15 });
  });

  test('[GCD1] the same ring of speakers with a draft that advances does not', async () => {
    const places = ['Oslo', 'Bergen', 'Trondheim', 'Tromsø', 'Bodø', 'Narvik', 'Alta'];
    const lines = {
      planner: places.map((place, at) => `Next comes chapter ${at + 2}, the tides at ${place}.`),
      writer: places.map(
        (place, at) =>
          `At ${place} the water rises ${140 + 31 * at} cm, twice in ${24 + at} hours.`,
      ),
      critic: places.map(
        (place, at) => `Good. Quote the ${place} gauge of ${1887 + 9 * at} there.`,
      ),
    };
    await expectHealthy(inGroup(lines, 'Let us write about the tides of Norway.'));
  });
});

describe('a tool', () => {
  const sameInDisguise = Array.from({ length: 8 }, (_, at) =>
    at % 2 === 0 ? '{"status": "open", "limit": 50}' : '{"limit": 50, "status": "open"}',
  );
  const ofPages = (count: number) =>
    Array.from({ length: count }, (_, at) => `{"status": "open", "page": ${at}}`);

  test('[GCD1] that is asked the same in disguise and answers the same trips', async () => {
    const answersNothing = () => {
      let at = 0x9e3779b97f4a7;
      return () => ({ items: [], request_id: `req_${(at++).toString(16)}` });
    };
    const trip = await expectLoop(withTool(sameInDisguise, answersNothing), 'repetition');
    expect(trip?.agents).toEqual(['clerk']);
    expect(trip?.reason).toContain("'search_orders' would be called for the third time");
  });

  test('[GCD1] that is asked the same while its answer changes does not', async () => {
    const shrinks = () => {
      const orders = ['A-113', 'B-240', 'C-357', 'D-468', 'E-579', 'F-681', 'G-790', 'H-802'];
      return () => ({ items: orders.splice(0, 1) && [...orders] });
    };
    await expectHealthy(withTool(sameInDisguise, shrinks));
  });

  test('[GCD1] that fails the same way with ever new arguments trips', async () => {
    const denies = () => () => {
      throw new Error('permission denied: orders are read by the sales role only');
    };
    await expectLoop(withTool(ofPages(9), denies), 'executionStorm');
  });

  test('[GCD1] that fails twice and then works does not', async () => {
    const recovers = () => {
      let made = 0;
      return ({ page }: Readonly<Record<string, unknown>>) => {
        made += 1;
        if (made < 3) throw new Error('connection reset');
        return { items: ['A-113', 'B-240'], page };
      };
    };
    await expectHealthy(withTool(ofPages(3), recovers));
  });
});

describe('programs that are really run', () => {
  const keyError = (name: string) => `${name} = {'month': 3}\nprint(${name}['revenue'])`;

  test('[GCD1] and fail with the same error each time trip', async () => {
    const names = ['df', 'data', 'frame', 'table', 'rows', 'sales'];
    const trip = await expectLoop(withCode(names.map(keyError)), 'executionStorm');
    expect(trip?.evidence).toMatchObject({ subject: 'KeyError', count: 5, agents: ['runner'] });
  });

  test('[GCD1] and fail for three reasons before they work do not', async () => {
    const programs = [
      keyError('df'),
      'import teamfuse_no_such_module',
      'print(1 / 0)',
      "print('March 1240, April 1317, May 1405')",
    ];
    await expectHealthy(withCode(programs));
  });
});

describe('a history', () => {
  test('[GCD1] that grows as every reply quotes all before it trips', async () => {
    const opening = 'Shall we meet on Monday at ten in the small room?';
    let all = opening;
    const lines = Array.from({ length: 14 }, (_, at) => {
      const quoted = all.replace(/^/gm, '> ');
      all = `${at % 2 === 0 ? 'Yes, Monday.' : 'Monday it is.'}\n${quoted}\n${quoted}`;
      return all.slice(0, 20_000);
    });
    await expectLoop(inPairs(lines, opening), 'historyDrift');
  });

  test('[GCD1] that grows with what is new in it does not', async () => {
    const towns = ['Lund', 'Ystad', 'Malmö', 'Kalmar', 'Visby', 'Växjö', 'Borås', 'Skara', 'Falun'];
    const lines = towns.map((town, at) =>
      towns
        .slice(0, at + 1)
        .map(
          (to, row) => `${town} to ${to}: ${17 * at + 23 * row + 41} km, ${at + row + 2} trains.`,
        )
        .join('\n'),
    );
    await expectHealthy(inPairs(lines, 'How do we get from town to town by train?'));
  });
});

describe('nested chats', () => {
  test('[GCD1] that open each other trip before they go any deeper', async () => {
    const run: Play = (options) => {
      const [user, author] = [speaker('user', []), speaker('author')];
      const [tone, facts] = [speaker('tone'), speaker('facts')];
      author.registerNestedChats([{ recipient: tone, message: 'Is the tone right?' }], [user]);
      tone.registerNestedChats([{ recipient: facts, message: 'Is that so?' }], [author, facts]);
      facts.registerNestedChats([{ recipient: tone, message: 'Does it matter?' }], [tone]);
      return play([user, author, tone, facts], [user, author], 'Write on!', options);
    };
    const trip = await expectLoop(run, 'nestedCascade');
    expect(trip?.reason).toMatch(/inside itself|at depth/);
  });

  test('[GCD1] that a turn triggers again while nothing comes of it trip', async () => {
    const run: Play = (options) => {
      const [author, reviewer] = [speaker('author'), speaker('reviewer', 'Nothing to add.')];
      const user = speaker('user', 'Please go on.');
      author.registerNestedChats(
        [{ recipient: reviewer, message: 'Review!', maxTurns: 1 }],
        [user],
      );
      return play([user, author, reviewer], [user, author], 'Write on!', options);
    };
    const trip = await expectLoop(run, 'nestedCascade');
    expect(trip?.evidence).toMatchObject({ subject: 'reply:author', agents: ['author'] });
  });

  test('[GCD1] with the same task each time trip, in whatever words a turn asks for them', async () => {
    const asked = [
      'Please have the plan checked for gaps.',
      'I would like another look at the plan.',
      'Could somebody review our plan once more?',
      'Let us go over the plan again, to be sure.',
      'One more opinion on the plan cannot hurt.',
      'Is the plan ready? Please have it verified.',
    ];
    const run: Play = (options) => {
      const [planner, chairman] = [speaker('planner', asked), speaker('chairman')];
      const reviewer = speaker('reviewer', 'There is no backup, and nobody is named who decides.');
      const message = 'What does the plan lack?';
      chairman.registerNestedChats([{ recipient: reviewer, message, maxTurns: 1 }], [planner]);
      return play([planner, chairman, reviewer], [planner, chairman], 'Plan it!', options);
    };
    const trip = await expectLoop(run, 'nestedCascade');
    expect(trip?.evidence).toMatchObject({ subject: 'reply:chairman', count: 3 });
    expect((await run()).trip?.kind).toBe('nested-cascade');
  });

  test('[GCD1] one for each section of a text that grows do not', async () => {
    const topics = ['gauges', 'moon', 'storms', 'harbours', 'charts', 'pilots', 'ferries', 'locks'];
    await expectHealthy((options) => {
      const user = speaker(
        'user',
        topics.map((topic, at) => `Section ${at + 2} is about ${topic}.`),
      );
      const author = speaker('author');
      const reviewer = speaker(
        'reviewer',
        topics.map(
          (topic, at) => `On ${topic}: cite the ${1890 + 7 * at} survey, p. ${12 * at + 5}.`,
        ),
      );
      const message: NestedOpening = (_author, asked) => `Review: ${asked.at(-1)?.content}`;
      author.registerNestedChats([{ recipient: reviewer, message, maxTurns: 1 }], [user]);
      return play([user, author, reviewer], [user, author], 'Section 1 is new.', options);
    });
  });
});

describe('an endpoint that turns calls away', () => {
  const tooMany = (): never => {
    throw new Error('429 Too Many Requests');
  };
  const pages = Array.from({ length: 9 }, () => '{"page": 1}');

  test('[GCD1] trips when it is asked the same again and again', async () => {
    const clock = new FakeClock(1_000);
    const run = withTool(pages, () => tooMany);
    await expectLoop((options) => run({ ...options, now: clock.now }), 'rate');
  });

  test('[GCD1] does not when it is given time', async () => {
    const clock = new FakeClock(1_000);
    const backsOff = () => {
      let made = 0;
      return () => {
        made += 1;
        clock.advance(1_000 * 4 ** made);
        return made < 3 ? tooMany() : { page: 1, orders: ['A-113', `B-${made}40`] };
      };
    };
    const run = withTool(['{"page": 1}', '{"page": 1}', '{"page": 1}', '{"page": 1}'], backsOff);
    await expectHealthy((options) => run({ ...options, now: clock.now }));
  });
});

describe('what is declared', () => {
  const talk = inPairs(
    Array.from({ length: 30 }, (_, at) => `Stop ${at + 1} is pier ${at * 7 + 3}, at ${at % 24} h.`),
    'Where does the ferry stop?',
  );

  test('[GCD2] a limit trips at the message that reaches it, and not before', async () => {
    expect((await talk({ maxMessages: 31 })).trip?.evidence).toMatchObject({
      count: 31,
      limit: 31,
    });
    await expectHealthy(() => talk({ maxMessages: 32 }));
  });

  test('[GCD2] a stop text trips when it is said and nothing else', async () => {
    const stopTexts = [{ text: 'Stop 3 is pier 17, at 2 h.', from: ['B'] }];
    expect((await talk({ stopTexts })).trip?.agents).toEqual(['B']);
    await expectHealthy(() => talk({ stopTexts: [{ text: 'Stop 3' }] }));
  });
});
