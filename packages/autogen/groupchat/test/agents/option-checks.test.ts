import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import {
  AssistantAgent,
  ConversableAgent,
  type ConversableAgentOptions,
  GroupChat,
  GroupChatManager,
  registerFunction,
  UnknownOptionError,
} from '../../src/index.ts';
import { speaker } from '../cast.ts';

describe('options', () => {
  test.each<[object, string]>([
    [
      { humanInputMode: 'SOMETIMES' },
      "option 'humanInputMode': expected 'ALWAYS', 'TERMINATE' or 'NEVER', received \"SOMETIMES\"",
    ],
    [
      { maxConsecutiveAutoReply: -1 },
      "option 'maxConsecutiveAutoReply': expected a number from 0 up, received -1",
    ],
    [
      { maxConsecutiveAutoReply: Number.NaN },
      "option 'maxConsecutiveAutoReply': expected a number from 0 up, received NaN",
    ],
    [
      { functionMap: { 'a b': () => '' } },
      "Invalid name: a b. Only letters, numbers, '_' and '-' are allowed.",
    ],
  ])('[GOP1] of an agent: %j', (options, message) => {
    expect(() => speaker('A', options as Partial<ConversableAgentOptions>)).toThrow(message);
  });

  test.each([[-1], [1.5], [Number.NaN], ['2']])('[GOP1] of a chat: %j turns', async (maxTurns) => {
    const chat = speaker('A').initiateChat(speaker('B'), {
      message: 'x',
      maxTurns: maxTurns as number,
    });
    await expect(chat).rejects.toThrow("option 'maxTurns': expected an integer from 0 up");
  });

  test('[GOP1] of a chat: endless turns are no turns to count', async () => {
    const b = speaker('B', { maxConsecutiveAutoReply: 1 });
    const { chatHistory } = await speaker('A').initiateChat(b, {
      message: 'x',
      maxTurns: Number.POSITIVE_INFINITY,
    });
    expect(chatHistory).toHaveLength(3);
  });

  test.each([undefined, {}, new GroupChat({ agents: [speaker('A')] })])(
    '[GOP1] of a chat: recipient %#',
    async (recipient) => {
      await expect(speaker('A').initiateChat(recipient as never, { message: 'x' })).rejects.toThrow(
        "option 'recipient': expected an agent; for a group, its GroupChatManager, received ",
      );
    },
  );

  test('[GOP1] of a tool: its schema and its parties', () => {
    const tool = { name: 'add', description: 'Adds.', func: () => 3 };
    const parties = { caller: speaker('A'), executor: speaker('B') };
    const register = (given: object, who: object) => () =>
      registerFunction(given as never, who as never);
    const schema = "option 'parameters': expected a schema such as z.object({ … })";
    const b = parties.executor;
    expect(() => b.registerForExecution(tool as never)).toThrow(schema);
    expect(() => b.registerForExecution({ ...tool, parameters: {} } as never)).toThrow(schema);
    expect(register(tool, { executor: b })).toThrow("option 'caller': expected an agent");
    expect(register(tool, { caller: b })).toThrow("option 'executor': expected an agent");
  });

  test('[GOP1] of a group: agents', () => {
    expect(() => new GroupChat({} as never)).toThrow("option 'agents': expected a list of agents");
  });

  test('[GOP1] of a group: rounds', () => {
    const make = () => new GroupChat({ agents: [], maxRound: -1 });
    expect(make).toThrow("option 'maxRound': expected a number from 0 up, received -1");
  });
});

/** Options as JavaScript gives them. */
// biome-ignore lint/suspicious/noExplicitAny: the compiler would refuse what is tested here
const js = (options: unknown): any => options;

describe('options that do not exist', () => {
  const a = speaker('A');
  const b = speaker('B');
  const group = new GroupChat({ agents: [a, b] });
  const client = new ReplayChatCompletionClient(['Four.']);
  const tool = { name: 'f', description: 'F', parameters: {}, func: () => '' };

  test.each<[string, () => unknown, string]>([
    [
      'an agent',
      () => new ConversableAgent(js({ name: 'A', human_input_mode: 'NEVER' })),
      "agent: there is no option 'human_input_mode'; in TypeScript it is 'humanInputMode'",
    ],
    [
      'a subclass',
      () => new AssistantAgent(js({ name: 'A', sistemMessage: '' })),
      "agent: there is no option 'sistemMessage'; did you mean 'systemMessage'?",
    ],
    [
      'a name in front of the options',
      () => new AssistantAgent(js('writer')),
      "agent: there is no option '0'; the name is an option, too: { name: 'writer' }",
    ],
    [
      'a model, by a list of configs',
      () => new AssistantAgent(js({ name: 'A', llmConfig: { config_list: [{ model: 'm' }] } })),
      "llmConfig: there is no option 'config_list'; models are clients here: { client: new OpenAIChatCompletionClient({ model, apiKey, baseURL }) }",
    ],
    [
      'a model, by an argument of its calls',
      () => new AssistantAgent(js({ name: 'A', llmConfig: { client, temperature: 0 } })),
      "llmConfig: there is no option 'temperature'; put it into `extraCreateArgs`",
    ],
    [
      'code execution',
      () => new ConversableAgent(js({ name: 'A', codeExecutionConfig: { work_dir: 'x' } })),
      "codeExecutionConfig: there is no option 'work_dir'; in TypeScript it is 'workDir'",
    ],
    [
      'a group',
      () => new GroupChat(js({ agents: [a, b], maxRounds: 3 })),
      "GroupChat: there is no option 'maxRounds'; did you mean 'maxRound'?",
    ],
    [
      'a manager',
      () => new GroupChatManager(js({ groupChat: group })),
      "GroupChatManager: there is no option 'groupChat'; did you mean 'groupchat'?",
    ],
    [
      'a reply function',
      () => a.registerReply('B', () => [false, null], js({ pos: 1 })),
      "registerReply: there is no option 'pos'; the options are position, config,",
    ],
    [
      'nested chats',
      () => a.registerNestedChats([js({ recipient: b, max_turns: 2 })], 'B'),
      "chat of a queue: there is no option 'max_turns'; in TypeScript it is 'maxTurns'",
    ],
    [
      'a tool',
      () => a.registerForExecution(js({ ...tool, fun: () => '' })),
      "tool: there is no option 'fun'; did you mean 'func'?",
    ],
    [
      'the parties of a tool',
      () => registerFunction(js(tool), js({ caller: a, executer: b })),
      "registerFunction: there is no option 'executer'; did you mean 'executor'?",
    ],
  ])('[GOP2] are refused: %s', (_what, make, message) => {
    expect(make).toThrow(UnknownOptionError);
    expect(make).toThrow(message);
  });

  test('[GOP2] are refused before a chat begins', async () => {
    await expect(a.initiateChat(b, js({ message: 'x', max_turns: 2 }))).rejects.toMatchObject({
      code: 'UNKNOWN_OPTION',
      option: 'max_turns',
      message: "initiateChat: there is no option 'max_turns'; in TypeScript it is 'maxTurns'",
    });
    await expect(a.send('x', b, js({ request_reply: true }))).rejects.toThrow(UnknownOptionError);
    await expect(a.generateReply(js({ message: [] }))).rejects.toThrow("did you mean 'messages'?");
    expect(b.conversations.with(a)).toEqual([]);
  });

  test('[GOP2] what is no object holds no options', async () => {
    expect(() => new ConversableAgent(js('A'))).toThrow(
      'agent: the options have to be an object, received "A"',
    );
    expect(() => new GroupChatManager(js(undefined))).toThrow('received undefined');
    await expect(a.initiateChat(b, js('Hello.'))).rejects.toThrow('received "Hello."');
  });

  test('[GOP1] a model without a client is refused', () => {
    const make = () => new AssistantAgent(js({ name: 'A', llmConfig: {} }));
    expect(make).toThrow("option 'llmConfig.client': expected a ChatCompletionClient");
  });
});
