import { spawnSync } from 'node:child_process';
import { guardAgents } from '@teamfuse/adapter-groupchat';
import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { Breaker } from '@teamfuse/core';
import { AssistantAgent, UserProxyAgent } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';

const EXPECTED = 'storm: stopped by execution-storm; twin: finished';

const block = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;
const tries = [
  block('import tidy_tables\nprint(tidy_tables.mean([11, 12, 13]))'),
  `Perhaps another import works.\n${block('from tidy_tables import mean\nprint(mean([11, 12, 13]))')}`,
  `Let me import it inside.\n${block('if True:\n    import tidy_tables\n    print(tidy_tables.mean([11, 12, 13]))')}`,
];
const loop = Array.from({ length: 12 }, (_, i) => `Version ${i + 1}.\n${tries[i % tries.length]}`);
const twin = [
  ...tries.slice(0, 2),
  block('values = [11, 12, 13]\nprint(sum(values) / len(values))'),
  'The mean is 12.\nTERMINATE',
];

async function run(replies: readonly string[]): Promise<string> {
  const breaker = new Breaker();
  const executor = new LocalCommandLineCodeExecutor();
  const client = new ReplayChatCompletionClient(replies);
  const coder = new AssistantAgent({ name: 'coder', llmConfig: { client } });
  const runner = new UserProxyAgent({
    name: 'executor',
    humanInputMode: 'NEVER',
    codeExecutionConfig: { executor },
    io: { print() {}, warn() {}, input: async () => 'exit' },
    isTerminationMsg: ({ content }) => String(content).endsWith('TERMINATE'),
  });
  guardAgents([runner, coder], breaker);
  const message = 'What is the mean of 11, 12 and 13?';
  await runner.initiateChat(coder, { message, maxTurns: replies.length, silent: true });
  await executor.close();
  const { trip } = breaker.conversation();
  return trip ? `stopped by ${trip.kind}` : 'finished';
}

if (spawnSync('python3', ['--version']).error) {
  console.log('skipped: there is no python3 on this machine');
} else {
  const last = `storm: ${await run(loop)}; twin: ${await run(twin)}`;
  console.log(last);
  process.exitCode = last === EXPECTED ? 0 : 1;
}
