import { ItemTeller, isItem } from '../transcript/agentchat-items.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, listOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format, Named } from './format.ts';

/** AutoGen 0.4: a message or event a line, an array of them, `TaskResult`s, or a saved team state. */
export const autogen04: Format = {
  id: 'autogen-0.4',
  title: 'messages, task results or a team state of AutoGen 0.4',
  recognise: ({ values }) =>
    values.some(
      (value) => isItem(value) || threadsIn(value).some(({ items }) => items.some(isItem)),
    ),
  async *read({ source, broken, values }) {
    const transcript = new Transcript();
    const teller = new ItemTeller(transcript);
    for await (const batch of values()) {
      for (const { line, value } of batch) {
        if (isItem(value)) {
          teller.tell(value as Fields);
          continue;
        }
        const name = line === 1 ? source : `${source}:${line}`;
        const threads = threadsIn(value);
        if (threads.length === 0) broken(line, `expected ${autogen04.title}`);
        for (const thread of threads) yield { source, ...toNamed(thread, name) };
      }
      const signals = transcript.take();
      if (signals.length > 0) yield { id: source, source, signals, isOpen: true };
    }
  },
};

interface Thread {
  readonly name: string | undefined;
  readonly items: readonly Fields[];
}

function threadsIn(value: unknown): readonly Thread[] {
  const fields = fieldsOf(value);
  if (fields === undefined) {
    if (listOf(value).every((one) => !isItem(one))) {
      return listOf(value).flatMap((one) => (fieldsOf(one) ? threadsIn(one) : []));
    }
    return [{ name: undefined, items: recordsOf(value) }];
  }
  if (fieldsOf(fields.agent_states)) return threadsOfState(fields);
  const { messages } = fields;
  const isResult = listOf(messages).some(isItem);
  return isResult ? [{ name: nameIn(fields.id), items: recordsOf(messages) }] : [];
}

/** The thread of the team; the states of its members repeat parts of it. */
function threadsOfState({ agent_states: states }: Fields): readonly Thread[] {
  return Object.values(fieldsOf(states) ?? {}).flatMap((state) => {
    const thread = fieldsOf(state)?.message_thread;
    return Array.isArray(thread) ? [{ name: undefined, items: recordsOf(thread) }] : [];
  });
}

function toNamed({ name, items }: Thread, fallback: string): Named {
  const transcript = new Transcript();
  const teller = new ItemTeller(transcript);
  for (const item of items) if (isItem(item)) teller.tell(item);
  return { id: name ?? fallback, signals: transcript.take() };
}
