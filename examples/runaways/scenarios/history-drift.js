import { guardAgents } from '@teamfuse/adapter-groupchat';
import { AssistantAgent } from '@teamfuse/groupchat';

/** Accountant and auditor quote everything said before, so that each turn costs more than the last. */
export const historyDrift = {
  name: 'history-drift',
  title: 'accountant ↔ auditor',
  kinds: ['history-drift'],
  async run({ clientFor, isTwin, breaker, judge }) {
    const variant = isTwin ? 'healthy' : 'quoting';
    const [accountant, auditor] = ['accountant', 'auditor'].map(
      (name) =>
        new AssistantAgent({
          name,
          llmConfig: { client: clientFor(`${name}-${variant}`) },
          isTerminationMsg: ({ content }) => String(content).endsWith('TERMINATE'),
        }),
    );
    if (breaker) guardAgents([accountant, auditor], breaker, { judge });
    const { chatHistory } = await auditor.initiateChat(accountant, {
      message: 'Let us go through the ledger, page by page.',
      maxTurns: 15,
      silent: true,
    });
    return chatHistory.length;
  },
};
