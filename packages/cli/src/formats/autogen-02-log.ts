import { RuntimeLogTeller } from '../transcript/runtime-log.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, nameIn } from '../transcript/values.ts';
import type { Format } from './format.ts';

const STARTED = /^Started new session with Session ID: (.{1,200})/;
const OWN_LINE = /^(?:Started new session with Session ID: |\[file_logger\] )/;

/** The file log of AutoGen 0.2: events and model calls as JSON, other lines in between. */
export const autogen02Log: Format = {
  id: 'autogen-0.2-log',
  title: 'a file log of AutoGen 0.2',
  recognise: ({ text, values }) => STARTED.test(text) || values.some(isEvent),
  async *read({ source, broken, lines }) {
    let id = source;
    let transcript = new Transcript();
    let teller = new RuntimeLogTeller(transcript);
    for await (const batch of lines()) {
      for (const { number, text } of batch) {
        const session = STARTED.exec(text)?.[1]?.trim();
        if (session !== undefined) {
          yield { id, source, signals: transcript.take() };
          id = session;
          transcript = new Transcript();
          teller = new RuntimeLogTeller(transcript);
        }
        if (OWN_LINE.test(text)) continue;
        try {
          tell(fieldsOf(JSON.parse(text)) ?? {}, teller);
        } catch (error) {
          broken(number, error instanceof Error ? error.message : String(error));
        }
      }
      yield { id, source, signals: transcript.take(), isOpen: true };
    }
  },
};

function tell(entry: Fields, teller: RuntimeLogTeller): void {
  const agent = nameIn(entry.source_name);
  const { timestamp } = entry;
  if (isEvent(entry)) {
    teller.received({
      name: entry.event_name,
      receiver: agent ?? '',
      receiverClass: entry.agent_class ?? entry.agent_class_name,
      state: entry.json_state,
      timestamp,
    });
  } else if ('invocation_id' in entry) {
    const { request, response, cost } = entry;
    // The file log writes responses as Python text; only their usage would be of use.
    teller.completed({ agent, request, response, cost, timestamp: entry.end_time }, false);
  }
}

function isEvent(value: unknown): boolean {
  const fields = fieldsOf(value);
  return typeof fields?.event_name === 'string' && 'json_state' in fields;
}
