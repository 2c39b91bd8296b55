import {
  AssistantAgent,
  FunctionTool,
  MaxMessageTermination,
  RoundRobinGroupChat,
  StopMessage,
  TerminatedException,
  TerminationCondition,
  TextMentionTermination,
  ToolCallExecutionEvent,
  when,
} from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { z } from 'zod';

const EXPECTED = 'stopped as expected: 5 of 5';
const task = 'Write a unique, short poem about the weather in Paris.';

/** Stops once a tool of this name has been executed. */
class FunctionCallTermination extends TerminationCondition {
  #functionName;
  #terminated = false;

  constructor(functionName) {
    super();
    this.#functionName = functionName;
  }

  get terminated() {
    return this.#terminated;
  }

  call(messages) {
    if (this.#terminated) throw new TerminatedException();
    this.#terminated = messages.some(
      (message) =>
        message instanceof ToolCallExecutionEvent &&
        message.content.some(({ name }) => name === this.#functionName),
    );
    if (!this.#terminated) return null;
    const content = `Function '${this.#functionName}' was executed.`;
    return new StopMessage({ content, source: 'FunctionCallTermination' });
  }

  reset() {
    this.#terminated = false;
  }
}

const approve = new FunctionTool({
  name: 'approve',
  description: 'Approve the message when all feedbacks have been addressed.',
  parameters: z.object({}),
  func: () => 'Approved.',
});

const modelInfo = {
  vision: false,
  functionCalling: true,
  jsonOutput: false,
  structuredOutput: false,
  family: 'unknown',
};

function poet(replies) {
  const modelClient = new ReplayChatCompletionClient(replies, { modelInfo });
  return new AssistantAgent('primary', { modelClient, systemMessage: 'You write poems.' });
}

function critic(replies, tools = []) {
  const modelClient = new ReplayChatCompletionClient(replies, { modelInfo });
  const systemMessage = 'Provide constructive feedback. Approve when it has been addressed.';
  return new AssistantAgent('critic', { modelClient, systemMessage, tools });
}

const poems = [
  'Rain on grey roofs.',
  'Rain on the zinc of the roofs.',
  'Rain taps the zinc roofs.',
];
const outcomes = [];

function check(name, { messages, stopReason }, expected) {
  console.log(`--- ${name}`);
  for (const message of messages) console.log(`${message.source}: ${message.toText()}`);
  console.log(`stopped: ${stopReason}`);
  outcomes.push(stopReason === expected);
}

const atThree = new RoundRobinGroupChat([poet(poems), critic(['Be concrete.', 'Better.'])], {
  terminationCondition: new MaxMessageTermination(3),
});
const three = 'Maximum number of messages 3 reached, current message count: 3';
check('after three messages', await atThree.run({ task }), three);
check('going on for three more', await atThree.run(), three);

const either = when`${new MaxMessageTermination(10)} | ${new TextMentionTermination('APPROVE')}`;
const onWord = new RoundRobinGroupChat([poet(poems), critic(['Be concrete.', 'APPROVE'])], {
  terminationCondition: either,
});
check('on a word or after ten', await onWord.run({ task }), "Text 'APPROVE' mentioned");

const both = when`${new MaxMessageTermination(5)} & ${new TextMentionTermination('APPROVE')}`;
const onBoth = new RoundRobinGroupChat([poet(poems), critic(['APPROVE', 'Go on.', 'Fine.'])], {
  terminationCondition: both,
});
check(
  'on a word and after five',
  await onBoth.run({ task }),
  "Text 'APPROVE' mentioned, Maximum number of messages 5 reached, current message count: 5",
);

const approval = { content: [{ id: 'call_1', name: 'approve', arguments: '{}' }] };
const onTool = new RoundRobinGroupChat(
  [poet(poems), critic(['Be concrete.', approval], [approve])],
  {
    terminationCondition: new FunctionCallTermination('approve'),
  },
);
check('on the approve tool', await onTool.run({ task }), "Function 'approve' was executed.");

const last = `stopped as expected: ${outcomes.filter(Boolean).length} of ${outcomes.length}`;
console.log(last);
process.exitCode = last === EXPECTED ? 0 : 1;
