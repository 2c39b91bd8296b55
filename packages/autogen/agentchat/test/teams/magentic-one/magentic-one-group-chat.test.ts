import {
  CancelledError,
  type ChatItem,
  MaxMessageTermination,
  type Team,
  TextMentionTermination,
} from '@teamfuse/agentchat';
import { type ModelInfo, ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { MagenticOneGroupChat } from '../../../src/teams/magentic-one/magentic-one-group-chat.ts';
import type { MagenticOneGroupChatOptions } from '../../../src/teams/magentic-one/options.ts';
import { ABLE, collect, lines } from '../../agents/scripts.ts';
import { ScriptedAgent } from '../scripted-agent.ts';

interface LedgerSpec {
  readonly satisfied?: boolean;
  readonly loop?: boolean;
  readonly progress?: boolean;
  readonly next?: string;
  readonly say?: string;
}

/** A ledger as a model writes it. */
function ledger({
  satisfied = false,
  loop = false,
  progress = true,
  next = 'a',
  say = 'go on',
}: LedgerSpec = {}): string {
  const entry = (answer: unknown, reason = 'because') => ({ answer, reason });
  return JSON.stringify({
    is_request_satisfied: entry(satisfied, satisfied ? 'all done' : 'not yet'),
    is_in_loop: entry(loop),
    is_progress_being_made: entry(progress),
    next_speaker: entry(next),
    instruction_or_question: entry(say),
  });
}

const DONE = ledger({ satisfied: true });

function setUp(
  replies: readonly Reply[],
  options: Omit<MagenticOneGroupChatOptions, 'modelClient'> = {},
  modelInfo: ModelInfo = ABLE,
) {
  const modelClient = new ReplayChatCompletionClient(['facts', 'plan', ...replies], { modelInfo });
  const agents = [new ScriptedAgent('a', 'A1', 'A2', 'A3'), new ScriptedAgent('b', 'B1')];
  const team = new MagenticOneGroupChat(agents, { modelClient, ...options });
  return { modelClient, agents, team };
}

const short = (items: readonly ChatItem[]) =>
  lines(items).map((line) =>
    line.replace(/\n[\s\S]*/, '…').replace('MagenticOneOrchestrator', 'M1'),
  );

const LEDGER_MESSAGE = 'TextMessage(M1): We are to do this task:…';

describe('MagenticOneGroupChat', () => {
  it('[M1-1] plans, instructs, listens, and answers', async () => {
    const { team, modelClient } = setUp([ledger({ say: 'look it up' }), DONE, 'the answer']);
    const { messages, stopReason } = await team.run({ task: 'find out' });
    expect(short(messages)).toEqual([
      'TextMessage(user): find out',
      LEDGER_MESSAGE,
      'TextMessage(M1): look it up',
      'TextMessage(a): A1',
      'TextMessage(M1): the answer',
    ]);
    expect(stopReason).toBe('all done');
    expect(modelClient.calls).toHaveLength(5);
  });

  it('[M1-2] puts the facts and the plan into the ledger message', async () => {
    const { team } = setUp([DONE, 'x']);
    const text = (await team.run({ task: 'find out' })).messages[1]?.toText();
    expect(text).toContain('find out');
    expect(text).toContain('facts');
    expect(text).toContain('plan');
    expect(text).toContain('a: a follows a script\nb: b follows a script');
  });

  it('[M1-3] shows the task even when asked not to', async () => {
    const { team } = setUp([DONE, 'x']);
    const { messages } = await team.run({ task: 'find out', outputTaskMessages: false });
    expect(short(messages)[0]).toBe('TextMessage(user): find out');
  });

  it('[M1-4] needs a task', async () => {
    await expect(setUp([]).team.run()).rejects.toMatchObject({ name: 'AssertionError' });
  });

  it('[M1-5] delivers the plan and the instructions to participants, not the task', async () => {
    const { team, agents } = setUp([ledger({ next: 'b', say: 'you' }), DONE, 'x']);
    await team.run({ task: 'find out' });
    expect(agents[1]?.received[0]).toEqual([expect.stringContaining('We are to do'), 'you']);
  });

  it('[M1-6] asks again for a ledger it cannot read, ten times in all', async () => {
    const { team, modelClient } = setUp([...Array(9).fill('no json'), DONE, 'x']);
    expect((await team.run({ task: 't' })).stopReason).toBe('all done');
    const hopeless = setUp(Array(10).fill('{"is_in_loop": true}'));
    await expect(hopeless.team.run({ task: 't' })).rejects.toThrow(
      'Failed to parse ledger information after multiple retries.',
    );
    expect(modelClient.calls).toHaveLength(2 + 10 + 1);
    expect(hopeless.modelClient.calls).toHaveLength(2 + 10);
  });

  it('[M1-7] gives up at once when a stranger is to speak', async () => {
    const { team, modelClient } = setUp([ledger({ next: 'nobody' }), DONE]);
    await expect(team.run({ task: 't' })).rejects.toThrow('Failed to parse ledger information');
    expect(modelClient.calls).toHaveLength(3);
  });

  it('[M1-8] reads a ledger out of a fenced block', async () => {
    const { team } = setUp([`Here:\n\`\`\`json\n${DONE}\n\`\`\``, 'x']);
    expect((await team.run({ task: 't' })).stopReason).toBe('all done');
  });

  it('[M1-8] needs no name of a speaker in a team of one', async () => {
    const modelClient = new ReplayChatCompletionClient(
      ['facts', 'plan', ledger({ next: 'whoever' }), DONE, 'x'],
      { modelInfo: ABLE },
    );
    const team = new MagenticOneGroupChat([new ScriptedAgent('a', 'A1')], { modelClient });
    expect(short((await team.run({ task: 't' })).messages)).toContain('TextMessage(a): A1');
  });

  it('[M1-9] plans anew after stalls, with participants that remember nothing', async () => {
    const stuck = ledger({ progress: false });
    const { team, agents } = setUp([stuck, stuck, 'new facts', 'new plan', ledger(), DONE, 'x'], {
      maxStalls: 2,
    });
    const { messages } = await team.run({ task: 't' });
    expect(short(messages)).toEqual([
      'TextMessage(user): t',
      LEDGER_MESSAGE,
      'TextMessage(M1): go on',
      'TextMessage(a): A1',
      LEDGER_MESSAGE,
      'TextMessage(M1): go on',
      'TextMessage(a): A1',
      'TextMessage(M1): x',
    ]);
    expect(messages[4]?.toText()).toContain('new plan');
    expect(agents[0]?.received[1]).toEqual([expect.stringContaining('new plan'), 'go on']);
  });

  it('[M1-9] takes a loop for a stall, and progress back off the count', async () => {
    const { team } = setUp([ledger({ loop: true }), ledger(), ledger({ loop: true }), DONE, 'x'], {
      maxStalls: 2,
    });
    const { messages } = await team.run({ task: 't' });
    expect(short(messages).filter((line) => line === LEDGER_MESSAGE)).toHaveLength(1);
  });

  it('[M1-10] ends after one round more than the limit', async () => {
    const { team } = setUp([ledger(), ledger(), 'out of time'], { maxTurns: 1 });
    const { messages, stopReason } = await team.run({ task: 't' });
    expect(stopReason).toBe('Max rounds reached.');
    expect(short(messages).filter((line) => line.startsWith('TextMessage(a)'))).toHaveLength(2);
    expect(short(messages).at(-1)).toBe('TextMessage(M1): out of time');
  });

  it('[M1-11] lets the condition judge participants only', async () => {
    const terminationCondition = new TextMentionTermination('go on');
    const { team } = setUp([ledger(), DONE, 'go on'], { terminationCondition });
    expect((await team.run({ task: 'go on' })).stopReason).toBe('all done');
  });

  it('[M1-11] stops when the condition says so, and keeps counting rounds', async () => {
    const { team } = setUp([ledger()], { terminationCondition: new MaxMessageTermination(1) });
    const { stopReason } = await team.run({ task: 't' });
    expect(stopReason).toBe('Maximum number of messages 1 reached, current message count: 1');
    expect(await orchestratorState(team)).toMatchObject({ n_rounds: 1, n_stalls: 0 });
  });

  it('[M1-12] says nothing of what its own calls cost', async () => {
    const { team } = setUp([ledger(), DONE, 'x']);
    const { messages } = await team.run({ task: 't' });
    const own = messages.filter(({ source }) => source === 'MagenticOneOrchestrator');
    expect(own.map(({ modelsUsage }) => modelsUsage)).toEqual([null, null, null]);
  });

  it('[M1-13] announces the speaker when events are asked for', async () => {
    const { team } = setUp([ledger(), DONE, 'x'], { emitTeamEvents: true });
    const { items } = await collect(team.runStream({ task: 't' }));
    expect(short(items)).toContain("SelectSpeakerEvent(M1): ['a']");
  });

  it('[M1-14] asks for the ledger in the form the model can hold to', async () => {
    const formats = async (modelInfo: ModelInfo) => {
      const { team, modelClient } = setUp([DONE, 'x'], {}, modelInfo);
      await team.run({ task: 't' });
      return modelClient.calls[2]?.options.jsonOutput;
    };
    expect(await formats(ABLE)).toMatchObject({ name: 'LedgerEntry' });
    expect(await formats({ ...ABLE, structuredOutput: false })).toBe(true);
    expect(await formats({ ...ABLE, structuredOutput: false, jsonOutput: false })).toBeUndefined();
  });

  it('[M1-15] uses a final prompt of one’s own as it is', async () => {
    const { team, modelClient } = setUp([DONE, 'x'], { finalAnswerPrompt: 'Sum up {this}.' });
    await team.run({ task: 't' });
    expect(modelClient.calls.at(-1)?.messages.at(-1)?.content).toBe('Sum up {this}.');
  });

  it('[M1-16] carries its plan over to another team', async () => {
    const first = setUp([ledger()], { terminationCondition: new MaxMessageTermination(1) }).team;
    await first.run({ task: 't' });
    const second = setUp([]).team;
    await second.loadState(JSON.parse(JSON.stringify(await first.saveState())));
    expect(await second.saveState()).toEqual(await first.saveState());
    expect(await orchestratorState(second)).toMatchObject({
      type: 'MagenticOneOrchestratorState',
      task: 't',
      facts: 'facts',
      plan: 'plan',
    });
  });

  it('[M1-17] forgets everything when reset', async () => {
    const { team } = setUp([DONE, 'x']);
    await team.run({ task: 't' });
    await team.reset();
    expect(await orchestratorState(team)).toMatchObject({
      task: '',
      n_rounds: 0,
      message_thread: [],
    });
  });

  it('[M1-18] ends with a cancellation error', async () => {
    const { team } = setUp([ledger(), DONE, 'x']);
    await expect(team.run({ task: 't', signal: AbortSignal.abort() })).rejects.toThrow(
      CancelledError,
    );
  });

  it('[M1-19] takes no teams', () => {
    const { team, modelClient } = setUp([]);
    expect(() => new MagenticOneGroupChat([team as never], { modelClient })).toThrow(
      'must be a ChatAgent.',
    );
  });

  it('[GUARD2] does not ask again for a ledger after a guard has refused the call', async () => {
    const refusal = Object.assign(new Error('stopped'), { code: 'TRIPPED' });
    const { team, modelClient } = setUp([refusal, DONE]);
    expect((await team.run({ task: 't' })).stopReason).toBe('stopped');
    expect(modelClient.calls).toHaveLength(3);
  });
});

async function orchestratorState(team: Team): Promise<unknown> {
  const state = JSON.parse(JSON.stringify(await team.saveState()));
  return state.agent_states.MagenticOneOrchestrator;
}
