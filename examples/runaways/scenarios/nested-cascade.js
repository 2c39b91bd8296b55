import { guardAgents } from '@teamfuse/adapter-groupchat';
import { AssistantAgent, UserProxyAgent } from '@teamfuse/groupchat';

/** Each time the planner speaks, its chairman has the plan reviewed in a nested chat. */
export const nestedCascade = {
  name: 'nested-cascade',
  title: 'planner, nested review',
  kinds: ['nested-cascade'],
  async run({ clientFor, isTwin, breaker, judge }) {
    const model = isTwin ? 'planner-healthy' : 'planner-cascading';
    const planner = new AssistantAgent({
      name: 'planner',
      llmConfig: { client: clientFor(model) },
    });
    const reviewer = new AssistantAgent({
      name: 'reviewer',
      llmConfig: { client: clientFor('reviewer') },
    });
    const chairman = new UserProxyAgent({
      name: 'chairman',
      humanInputMode: 'NEVER',
      codeExecutionConfig: false,
      isTerminationMsg: ({ content }) => String(content).endsWith('TERMINATE'),
    });
    chairman.registerNestedChats([{ recipient: reviewer, maxTurns: 1, silent: true }], planner);
    if (breaker) guardAgents([chairman, planner, reviewer], breaker, { judge });
    const { chatHistory } = await chairman.initiateChat(planner, {
      message: 'Plan the move of our shop to the new database.',
      maxTurns: 30,
      silent: true,
    });
    return chatHistory.length;
  },
};
