import {
  BaseGroupChat,
  builtInComponents,
  type ChatItem,
  type ComponentClass,
  type ComponentModel,
  ComponentRegistry,
  componentModel,
  FunctionalTermination,
  MaxMessageTermination,
  NotImplementedError,
  OrTerminationCondition,
  RoundRobinGroupChat,
  StopMessage,
  TerminationCondition,
  TextMentionTermination,
  TimeoutTermination,
  UserProxyAgent,
  ValidationError,
  ValueError,
  when,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';

/** A condition of a user's own that can be dumped and loaded. */
class EnoughTermination extends TerminationCondition {
  static readonly provider = 'teamfuse.test.EnoughTermination';
  static readonly component: ComponentClass<EnoughTermination> = {
    provider: EnoughTermination.provider,
    version: 2,
    load: ({ word }) => new EnoughTermination(String(word)),
  };
  readonly terminated = false;
  readonly word: string;

  constructor(word: string) {
    super();
    this.word = word;
  }

  call(messages: readonly ChatItem[]): StopMessage | null {
    const isEnough = messages.some((message) => message.toText() === this.word);
    return isEnough ? new StopMessage({ content: this.word, source: 'EnoughTermination' }) : null;
  }

  reset(): void {}

  override dumpComponent(): ComponentModel {
    const { provider } = EnoughTermination;
    const config = { word: this.word, note: null, inner: { gone: null, list: [{ also: null }] } };
    return componentModel({ provider, componentType: 'termination', version: 2 }, config);
  }
}

const registry = new ComponentRegistry([...builtInComponents, EnoughTermination.component]);
const load = (model: unknown): TerminationCondition => registry.load(model, TerminationCondition);
const maxMessages = (changes: object = {}): object => ({
  ...new MaxMessageTermination(3).dumpComponent(),
  ...changes,
});

describe('componentModel', () => {
  it('[COMP1] leaves out nulls at any depth of the config', () => {
    const { label, version, component_version, config } = new EnoughTermination(
      'x',
    ).dumpComponent();
    expect({ label, version, component_version }).toEqual({
      label: 'EnoughTermination',
      version: 2,
      component_version: 2,
    });
    expect(config).toEqual({ word: 'x', inner: { list: [{}] } });
  });
});

describe('ComponentRegistry', () => {
  it('[COMP2] loads what was dumped, also of classes of a user’s own', () => {
    const condition = when`(${new MaxMessageTermination(3)} | ${new TextMentionTermination('x', { sources: ['a'] })}) & ${new EnoughTermination('y')}`;
    const dump = (condition as TerminationCondition).dumpComponent();
    const loaded = load(JSON.parse(JSON.stringify(dump)));
    expect(loaded.dumpComponent()).toEqual(dump);
  });

  it('[COMP2] loads a team with everything in it', () => {
    const team = new RoundRobinGroupChat([new UserProxyAgent('user')], {
      name: 'desk',
      terminationCondition: new TimeoutTermination(60),
      maxTurns: 4,
    });
    const loaded = registry.load(team.dumpComponent(), BaseGroupChat);
    expect(loaded).toBeInstanceOf(RoundRobinGroupChat);
    expect(loaded.dumpComponent()).toEqual(team.dumpComponent());
  });

  it('[COMP2] finds a class under its older module path', () => {
    const provider = 'autogen_agentchat.conditions._terminations.MaxMessageTermination';
    expect(load(maxMessages({ provider }))).toBeInstanceOf(MaxMessageTermination);
  });

  it('[COMP2] finds a class under an alias of its own', () => {
    const short = { ...EnoughTermination.component, aliases: ['Enough'] };
    const model = { ...new EnoughTermination('x').dumpComponent(), provider: 'Enough' };
    const loaded = new ComponentRegistry([short]).load(model, TerminationCondition);
    expect(loaded).toBeInstanceOf(EnoughTermination);
  });

  it('[COMP2] refuses a second class of one provider, and a provider without a module', () => {
    const twice = (): unknown =>
      new ComponentRegistry([EnoughTermination.component, EnoughTermination.component]);
    expect(twice).toThrow(
      "Component provider 'teamfuse.test.EnoughTermination' is already registered.",
    );
    const plain = { ...EnoughTermination.component, provider: 'Enough' };
    expect(() => new ComponentRegistry([plain])).toThrow("must be 'module.Class', got 'Enough'");
  });

  it.each<[string, string]>([
    ['Enough', 'Invalid'],
    ['', 'Invalid'],
    ['os.system', "Provider module 'os' is not in a trusted namespace."],
    [
      'autogen_agentchatevil.conditions.X',
      "Provider module 'autogen_agentchatevil.conditions' is not",
    ],
    ['evil.test_x.X', "Provider module 'evil.test_x' is not in a trusted namespace."],
    ['teamfuse.test.Other', "Provider module 'teamfuse.test' is not in a trusted namespace."],
  ])('[COMP3] refuses the provider %j', (provider, message) => {
    expect(() => load(maxMessages({ provider }))).toThrow(ValueError);
    expect(() => load(maxMessages({ provider }))).toThrow(message);
  });

  it('[COMP3] refuses an unknown class of a trusted module, and says in the cause which', () => {
    const provider = 'autogen_agentchat.conditions.NoTermination';
    expect(() => load(maxMessages({ provider }))).toThrow(
      expect.objectContaining({
        name: 'TypeError',
        message: 'Invalid component class',
        cause: new ValueError(`Provider '${provider}' is not registered.`),
      }),
    );
  });

  it.each([[1], [0], [9], [null], [undefined]])('[COMP4] takes version %j', (version) => {
    expect(load(maxMessages({ component_version: version }))).toBeInstanceOf(MaxMessageTermination);
  });

  it('[COMP4] refuses a config of an older version', () => {
    const old = { ...new EnoughTermination('x').dumpComponent(), component_version: 1 };
    expect(() => load(old)).toThrow(NotImplementedError);
    expect(() => load(old)).toThrow(/<class 'EnoughTermination'> which is on version 2/);
  });

  it.each<[string, unknown, PropertyKey[]]>([
    ['a text', 'x', []],
    ['a dump without a config', { provider: 'a.B' }, ['config']],
    ['a config without a field', maxMessages({ config: {} }), ['max_messages']],
    ['a field of the wrong kind', maxMessages({ config: { max_messages: '3' } }), ['max_messages']],
    [
      'a child that is no component',
      { ...new OrTerminationCondition().dumpComponent(), config: { conditions: [{}] } },
      ['conditions', 0, 'provider'],
    ],
  ])('[COMP5] names the place of the fault in %s', (_what, model, place) => {
    let issues: ValidationError['issues'] = [];
    try {
      load(model);
    } catch (error) {
      if (error instanceof ValidationError) ({ issues } = error);
    }
    expect(issues[0]?.loc).toEqual(place);
  });

  it('[COMP6] refuses a component of another kind', () => {
    expect(() => registry.load(maxMessages(), BaseGroupChat)).toThrow(
      new TypeError('Expected type does not match'),
    );
  });

  it('[COMP7] cannot dump what contains a function', () => {
    const condition = new MaxMessageTermination(3).or(new FunctionalTermination(() => false));
    const team = new RoundRobinGroupChat([new UserProxyAgent('user')], {
      terminationCondition: condition,
    });
    expect(() => team.dumpComponent()).toThrow(
      new NotImplementedError('This component does not support dumping to config'),
    );
  });
});
