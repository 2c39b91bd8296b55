import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardAgents, type TripMode } from '../../src/index.ts';
import { group, speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { ofKind, record, said } from '../support/signals.ts';

/** A team of any shape: who takes part, how long, who is asked next, and what is nested in whom. */
const teams = fc.record({
  size: fc.integer({ min: 2, max: 5 }),
  maxRound: fc.integer({ min: 1, max: 8 }),
  maxTurns: fc.integer({ min: 1, max: 3 }),
  sendIntroductions: fc.boolean(),
  order: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }),
  nestedIn: fc.option(fc.nat({ max: 4 })),
});

type Team = typeof teams extends fc.Arbitrary<infer T> ? T : never;

/** Builds the team; `turns` counts the replies that its agents think up themselves. */
function build({ size, maxRound, sendIntroductions, order, nestedIn }: Team) {
  const names = Array.from({ length: size }, (_, at) => `M${at}`);
  const count = { turns: 0 };
  const members = names.map((name) => {
    const member = speaker(name);
    member.registerReply(
      [() => true, null],
      () => {
        count.turns += 1;
        return [true, `${name} says ${count.turns}`];
      },
      { position: -1 },
    );
    return member;
  });
  const helper = speaker('helper');
  if (nestedIn !== null) {
    const owner = members[nestedIn % size];
    owner?.registerNestedChats([{ recipient: helper, message: 'Help!', maxTurns: 1 }], () => true);
  }
  let next = 0;
  const { groupchat, manager } = group(members, {
    maxRound,
    sendIntroductions,
    speakerSelectionMethod: () => members[(order[next++ % order.length] ?? 0) % size] ?? null,
  });
  return { members, helper, groupchat, manager, count };
}

test('[GCS14] whatever the team, each message of its group is told once, in order, by its author', async () => {
  await fc.assert(
    fc.asyncProperty(teams, async (team) => {
      const { members, helper, groupchat, manager } = build(team);
      const breaker = bareBreaker();
      const signals = record(breaker);
      const guard = guardAgents([...members, helper, manager], breaker);
      const { maxTurns } = team;
      await members[0]?.initiateChat(manager, { message: 'hello', maxTurns });
      const inGroup = ofKind(signals, 'message').filter(
        ({ agent, depth }) => depth === undefined && agent !== manager.name,
      );
      const [summaries, others] = [true, false].map((isSummary) =>
        groupchat.messages.filter(({ content }) => (content === 'I am helper') === isSummary),
      );
      expect(said(inGroup)).toEqual(others?.map(({ name, content }) => `${name}: ${content}`));
      // A summary of nested chats is the outcome of those, even if its message is one too many for the group.
      expect(ofKind(signals, 'nested-end').length).toBeGreaterThanOrEqual(summaries?.length ?? 0);
      guard.uninstall();
    }),
  );
});

test('[GCT2] whatever the team, nobody thinks up a reply after the trip', async () => {
  const limits = fc.integer({ min: 1, max: 12 });
  const modes = fc.constantFrom<TripMode>('terminate', 'reply', 'throw');
  await fc.assert(
    fc.asyncProperty(teams, limits, modes, async (team, maxMessages, onTrip) => {
      const { members, helper, manager, count } = build(team);
      const breaker = bareBreaker({ maxMessages });
      let turnsAtTrip: number | undefined;
      breaker.on('trip', () => {
        turnsAtTrip = count.turns;
      });
      const guard = guardAgents([...members, helper, manager], breaker, { onTrip });
      const chat = members[0]?.initiateChat(manager, { message: 'hello', maxTurns: team.maxTurns });
      await chat?.catch(() => {});
      if (turnsAtTrip !== undefined) expect(count.turns).toBe(turnsAtTrip);
      expect(guard.trip === undefined).toBe(turnsAtTrip === undefined);
      guard.uninstall();
    }),
  );
});
