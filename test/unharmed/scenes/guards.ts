import { guardAgents } from '../../../packages/adapter-groupchat/src/index.ts';
import { AssistantAgent } from '../../../packages/autogen/groupchat/src/index.ts';
import { type BreakerOptions, MemoryBudgetStore } from '../../../packages/core/src/index.ts';
import { staleText } from '../../../packages/core/test/support/stale.ts';
import { installOn } from '../../../packages/install/src/index.ts';
import { ReplayChatCompletionClient } from '../../../packages/models/src/index.ts';
import { MemoryHistoryStore } from '../../../packages/stores/src/history/index.ts';
import type { Fault } from '../fault.ts';
import { breakerOf, heard, type Scenes, type Tell } from '../scene.ts';

const SOON_MS = 10;

/** A chat of two who answer from a model. */
async function chat(fault: Fault, tell: Tell, options: BreakerOptions, onError: () => unknown) {
  const breaker = breakerOf(options, tell);
  const history = {
    store: fault.in(new MemoryHistoryStore(), 'latest', 'append'),
    task: 'a chat',
    timeoutMs: SOON_MS,
  };
  const replies = Array.from({ length: 20 }, (_, i) => staleText(i));
  const llmConfig = { client: new ReplayChatCompletionClient(replies) };
  const agents = ['ann', 'bob'].map((name) => new AssistantAgent({ name, llmConfig }));
  const [ann, bob] = agents as [AssistantAgent, AssistantAgent];
  const guard = guardAgents(agents, breaker, {
    history,
    judge: { confirm: fault.fail, askAt: 0.1, timeoutMs: SOON_MS },
    nudge: fault.fail as object as () => string,
    prices: { price: fault.fail as object as () => undefined },
    onError: onError as () => void,
  });
  await heard(ann.initiateChat(bob, { message: 'Hello.', maxTurns: 6, silent: true }), tell);
  breaker.stop('enough');
  await heard(ann.initiateChat(bob, { message: 'Hello.', maxTurns: 6, silent: true }), tell);
  guard.uninstall();
}

/** What fails around a guarded team. */
export const GUARDS: Scenes = {
  'a guard, and all that it needs': {
    told: 'onError',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'settle');
      const budget = { maxUsd: 1, store, storeTimeoutMs: SOON_MS };
      await chat(fault, tell, { budget, reaction: 'warn' }, () => tell('onError'));
    },
  },
  'a guard whose onError fails': {
    told: 'history',
    play: (fault, tell) => chat(fault, tell, {}, fault.fail),
  },
  'a function that is guarded, and its onError': {
    told: 'caller',
    play: async (fault, tell) => {
      const breaker = breakerOf({}, tell);
      const guard = installOn({ ask: fault.fail }, breaker, {
        onError: fault.fail,
        prices: { price: fault.fail as object as () => undefined },
      });
      const asked = Promise.resolve().then(() => guard.guarded.ask());
      await Promise.race([heard(asked, tell), wait()]);
      guard.uninstall();
    },
  },
};

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SOON_MS));
}
