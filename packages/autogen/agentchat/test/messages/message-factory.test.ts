import {
  BaseTextChatMessage,
  MessageFactory,
  structuredMessageClass,
  textFields,
  ValueError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';

class Note extends BaseTextChatMessage {
  static readonly type = 'Note';
  readonly type = 'Note';

  static load(data: unknown): Note {
    return new Note(textFields(data, Note.type));
  }
}

describe('MessageFactory', () => {
  it('[MSG6] makes messages of classes that were registered', () => {
    const factory = new MessageFactory();
    expect(factory.isRegistered('Note')).toBe(false);
    factory.register(Note);
    const note = factory.create(new Note({ content: 'x', source: 'a' }).dump());
    expect(note).toBeInstanceOf(Note);
  });

  it('[MSG6] distinguishes kinds of data by their names, and checks them', () => {
    const factory = new MessageFactory();
    const positive = structuredMessageClass('Report', (content) => {
      if (typeof content.score !== 'number') throw new ValueError('score must be a number');
      return content;
    });
    factory.register(positive);
    factory.register(structuredMessageClass('Verdict'));
    const report = { type: 'StructuredMessage[Report]', source: 'a', content: { score: 'x' } };
    expect(() => factory.create(report)).toThrow('score must be a number');
    expect(factory.create({ ...report, type: 'StructuredMessage[Verdict]' }).type).toBe(
      'StructuredMessage[Verdict]',
    );
  });

  it.each<[string, (factory: MessageFactory) => unknown, string]>([
    [
      'data without a type',
      (factory) => factory.create({ content: 'x' }),
      "Field 'type' is required in the message data to recover the message type.",
    ],
    [
      'data that is no object',
      (factory) => factory.create('TextMessage'),
      "Field 'type' is required in the message data to recover the message type.",
    ],
    [
      'an unknown type',
      (factory) => factory.create({ type: 'Mystery' }),
      'Unknown message type: Mystery',
    ],
    [
      'a class that is known',
      (factory) =>
        factory.register({
          type: 'TextMessage',
          load: () => new Note({ content: '', source: '' }),
        }),
      "Message type <class 'TextMessage'> is already registered.",
    ],
    [
      'a message of an unknown class',
      (factory) => factory.check(new Note({ content: 'x', source: 'a' })),
      "Message type <class 'Note'> is not registered.",
    ],
    [
      'something else in the place of a message',
      (factory) => factory.check(42 as unknown as Note),
      "Message type <class 'int'> is not registered.",
    ],
  ])('[MSG6] refuses %s', (_what, use, message) => {
    expect(() => use(new MessageFactory())).toThrow(new ValueError(message));
  });

  it('[MSG6] refuses a class without a type or a way to load', () => {
    const factory = new MessageFactory();
    expect(() => factory.register(class {} as unknown as typeof Note)).toThrow(ValueError);
  });
});
