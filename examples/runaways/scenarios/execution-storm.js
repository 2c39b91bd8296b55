import { guardAgents } from '@teamfuse/adapter-groupchat';
import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { AssistantAgent, UserProxyAgent } from '@teamfuse/groupchat';

/** Keeps what agents print off the screen; nobody is asked. */
const quiet = { print() {}, warn() {}, input: async () => 'exit' };

/** A coder writes JavaScript, an executor runs it, and the module it needs is not installed. */
export const executionStorm = {
  name: 'execution-storm',
  title: 'coder ↔ executor',
  kinds: ['execution-storm'],
  async run({ clientFor, isTwin, breaker, judge }) {
    const model = isTwin ? 'coder-healthy' : 'coder-failing';
    const executor = new LocalCommandLineCodeExecutor();
    const coder = new AssistantAgent({ name: 'coder', llmConfig: { client: clientFor(model) } });
    const runner = new UserProxyAgent({
      name: 'executor',
      humanInputMode: 'NEVER',
      codeExecutionConfig: { executor },
      io: quiet,
      isTerminationMsg: ({ content }) => String(content).endsWith('TERMINATE'),
    });
    if (breaker) guardAgents([runner, coder], breaker, { judge });
    try {
      const { chatHistory } = await runner.initiateChat(coder, {
        message: 'What is the mean temperature in our table of three days?',
        maxTurns: 25,
        silent: true,
      });
      return chatHistory.length;
    } finally {
      await executor.close();
    }
  },
};
