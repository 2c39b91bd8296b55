import { BadInputError } from '../input/bad-input-error.ts';
import { type Database, openDatabase, type Row } from '../input/sqlite.ts';
import { RuntimeLogTeller } from '../transcript/runtime-log.ts';
import { Transcript } from '../transcript/transcript.ts';
import { nameIn } from '../transcript/values.ts';
import type { Format } from './format.ts';

const MAGIC = 'SQLite format 3\0';
const COMPLETIONS = 'chat_completions';

/**
 * The SQLite log of AutoGen 0.2 (`logs.db`), a conversation for each session. Logs before 0.2.27 have no events: there the
 * model calls alone say what was said.
 */
export const autogen02Sqlite: Format = {
  id: 'autogen-0.2-sqlite',
  title: 'a SQLite log of AutoGen 0.2',
  recognise: ({ text }) => text.startsWith(MAGIC),
  async *read({ source, bytes, broken }) {
    const database = await openDatabase(source, bytes());
    try {
      const tables = tablesOf(database);
      if (!tables.has(COMPLETIONS)) {
        throw new BadInputError(source, `the database has no table ${COMPLETIONS}`);
      }
      const hasEvents = tables.has('events');
      const starts = tables.has('agents') ? sessionStarts(database) : [];
      const names = tables.has('agents') ? namesByWrapper(database) : new Map<string, string>();
      let id = starts[0]?.id ?? source;
      let transcript = new Transcript();
      let teller = new RuntimeLogTeller(transcript);
      for (const row of inOrder(database, hasEvents)) {
        // Events do not name their session: they belong to the one that began last.
        const session = nameIn(row.session_id) ?? startedBefore(starts, row.timestamp) ?? id;
        if (session !== id) {
          yield { id, source, signals: transcript.take(), isOpen: true };
          id = session;
          transcript = new Transcript();
          teller = new RuntimeLogTeller(transcript);
        }
        try {
          tell(row, teller, { hasEvents, names });
        } catch (error) {
          broken(Number(row.id), error instanceof Error ? error.message : String(error));
        }
      }
      yield { id, source, signals: transcript.take(), isOpen: true };
    } catch (error) {
      if (error instanceof BadInputError) throw error;
      throw new BadInputError(source, error instanceof Error ? error.message : String(error));
    } finally {
      await database.close();
    }
  },
};

interface Session {
  readonly id: string;
  readonly start: string;
}

function tablesOf(database: Database): ReadonlySet<unknown> {
  const rows = database.rows("SELECT name FROM sqlite_master WHERE type = 'table'");
  return new Set([...rows].map(({ name }) => name));
}

function sessionStarts(database: Database): readonly Session[] {
  const rows = database.rows(
    'SELECT session_id, MIN(timestamp) AS start FROM agents GROUP BY session_id ORDER BY start',
  );
  return [...rows].map(({ session_id, start }) => ({
    id: String(session_id),
    start: String(start),
  }));
}

function startedBefore(sessions: readonly Session[], timestamp: unknown): string | undefined {
  return sessions.findLast(({ start }) => start <= String(timestamp))?.id;
}

/** Events and model calls as they followed each other; a call ends before what it said is received. */
function* inOrder(database: Database, hasEvents: boolean): Generator<Row> {
  const calls = database.rows(`SELECT * FROM ${COMPLETIONS} ORDER BY id`)[Symbol.iterator]();
  let call = calls.next();
  for (const event of hasEvents ? database.rows('SELECT * FROM events ORDER BY id') : []) {
    while (!call.done && String(call.value.end_time) <= String(event.timestamp)) {
      yield call.value;
      call = calls.next();
    }
    yield event;
  }
  for (; !call.done; call = calls.next()) yield call.value;
}

/** Which agent has which model client: before 0.2.29 nothing else says who made a call. */
function namesByWrapper(database: Database): ReadonlyMap<string, string> {
  const rows = database.rows("SELECT wrapper_id, name FROM agents WHERE wrapper_id <> ''");
  return new Map([...rows].map(({ wrapper_id, name }) => [String(wrapper_id), String(name)]));
}

interface LogKnowledge {
  readonly hasEvents: boolean;
  readonly names: ReadonlyMap<string, string>;
}

function tell(row: Row, teller: RuntimeLogTeller, { hasEvents, names }: LogKnowledge): void {
  if ('event_name' in row) {
    teller.received({
      name: row.event_name,
      receiver: nameIn(row.source_name) ?? '',
      receiverClass: row.agent_class_name,
      state: row.json_state,
      timestamp: row.timestamp,
    });
    return;
  }
  const { source_name, wrapper_id, request, response, cost, end_time: timestamp } = row;
  const agent = nameIn(source_name) ?? names.get(String(wrapper_id));
  teller.completed({ agent, request, response, cost, timestamp }, !hasEvents);
}
