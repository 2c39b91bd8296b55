import {
  AgentTool,
  CodeExecutorAgent,
  RoundRobinGroupChat,
  SelectorGroupChat,
  SocietyOfMindAgent,
  type TaskResult,
} from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { ReplayChatCompletionClient, type Reply } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { assistant, callsTool, Speaker, scriptedExecutor, tool } from './agents.ts';
import { fact } from './teams.ts';

const code = '```python\nprint(6 * 7)\n```';
const approvalFunc = () => ({ approved: true, reason: '' });

interface Everything {
  readonly team: SelectorGroupChat;
  /** All the work that is begun. */
  readonly begun: readonly string[];
}

/** A team with everything in it. */
export function everything(
  isStreaming: boolean,
  terminationCondition: BreakerTermination | null,
): Everything {
  const begun: string[] = [];
  const note = (what: string): void => void begun.push(what);

  class NotingModel extends ReplayChatCompletionClient {
    override create(...args: Parameters<ReplayChatCompletionClient['create']>) {
      note('model');
      return super.create(...args);
    }
    override createStream(...args: Parameters<ReplayChatCompletionClient['createStream']>) {
      note('model');
      return super.createStream(...args);
    }
  }
  const { model: able } = assistant('any', []);
  const model = (...replies: Reply[]) => new NotingModel(replies, { modelInfo: able.modelInfo });
  const look = tool('look', () => {
    note('tool');
    return fact(4);
  });
  const watch = tool('watch', () => {
    note('tool');
    return fact(5);
  });
  const { agent: helper } = assistant('helper', []);
  helper.modelClient = model(fact(1), fact(2));
  const { agent: researcher } = assistant('researcher', [], {
    tools: [look, watch, new AgentTool(helper)],
    maxToolIterations: 4,
    modelClientStream: isStreaming,
  });
  const both = ['look', 'watch'].map((name) => ({ id: name, name, arguments: '{}' }));
  researcher.modelClient = model({ content: both }, callsTool('helper', { task: 'Help' }), fact(3));
  const executor = scriptedExecutor({ exitCode: 1, output: 'x' }, { exitCode: 0, output: '42' });
  const { executeCodeBlocks } = executor;
  executor.executeCodeBlocks = (blocks) => {
    note('code');
    return executeCodeBlocks(blocks);
  };
  const coder = new CodeExecutorAgent('coder', {
    codeExecutor: executor,
    modelClient: model(code, '{"retry":true,"reason":"typo"}', code, fact(6)),
    maxRetriesOnError: 1,
    modelClientStream: isStreaming,
    approvalFunc,
  });
  const pair = (name: string, from: number) =>
    new RoundRobinGroupChat(
      ['x', 'y'].map(
        (part, index) => new Speaker(`${name}_${part}`, (turn) => fact(from + index + turn)),
      ),
      { name, maxTurns: 2 },
    );
  const society = new SocietyOfMindAgent('society', {
    team: pair('inner', 6),
    modelClient: model(fact(9)),
  });
  const team = new SelectorGroupChat([researcher, coder, society, pair('crew', 9)], {
    modelClient: model('researcher', 'coder', 'society', 'crew'),
    maxTurns: 4,
    terminationCondition,
    emitTeamEvents: true,
  });
  return { team, begun };
}

async function run(isStreaming: boolean, stopAt: number) {
  const breaker = new Breaker();
  const { team, begun } = everything(isStreaming, new BreakerTermination(breaker));
  let signals = 0;
  let begunAtStop = -1;
  breaker.on('signal', () => {
    if (signals++ !== stopAt) return;
    breaker.stop('stopped');
    begunAtStop = begun.length;
  });
  guardTeam(team, breaker);
  const result: TaskResult = await team.run({ task: 'Begin' });
  return { result, signals, begun, begunAtStop, breaker };
}

/** Stops a run at every so many-th of its signals. */
export function testStops(every: number): void {
  describe.each([false, true])('a stop at any point (streamed: %s)', (isStreaming) => {
    it('[GRD14] begins nothing more, loses nothing and ends the run in good order', async () => {
      const whole = await run(isStreaming, -1);
      expect(whole.result.stopReason).toBe('Maximum number of turns 4 reached.');
      expect(whole.breaker.conversation().trip).toBeUndefined();
      expect(whole.signals).toBeGreaterThan(40);
      const texts = whole.result.messages.map((message) => message.toText());

      for (let at = 0; at < whole.signals; at += every) {
        const { result, begun, begunAtStop } = await run(isStreaming, at);
        expect([at, begun.length]).toEqual([at, begunAtStop]);
        // A stop with the last words comes too late to be the reason.
        if (at < whole.signals - 2) expect([at, result.stopReason]).toEqual([at, 'stopped']);
        const said = result.messages.map((message) => message.toText());
        expect([at, texts.slice(0, said.length)]).toEqual([at, said]);
      }
    });
  });
}
