import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadInputError } from './bad-input-error.ts';
import { DEFAULT_LIMITS } from './limits.ts';

/** A row of a table by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>;

/** A database that is only read. */
export interface Database {
  rows(query: string): Iterable<Row>;
  close(): Promise<void>;
}

/** The part of `node:sqlite` that is used. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => { prepare(query: string): { iterate(): Iterable<Row> }; close(): void };
}

/** The part of sql.js that is used. */
interface WasmSqlite {
  readonly Database: new (
    bytes: Uint8Array,
  ) => {
    prepare(query: string): { step(): boolean; getAsObject(): Row; free(): boolean };
    close(): void;
  };
}

/**
 * Opens the database in these bytes: with the SQLite of Node where it has one, with sql.js otherwise.
 * @throws {@link BadInputError}
 */
export async function openDatabase(
  source: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Database> {
  const data = await wholeOf(source, bytes);
  const native = await nodeSqlite();
  try {
    return native === undefined ? await inMemory(data) : await inFile(native, data);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new BadInputError(source, problem, { cause: error });
  }
}

async function wholeOf(source: string, bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const { maxDocumentBytes } = DEFAULT_LIMITS;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size > maxDocumentBytes) {
      throw new BadInputError(source, `a database of more than ${maxDocumentBytes} bytes`);
    }
  }
  return Buffer.concat(parts);
}

async function nodeSqlite(): Promise<NodeSqlite | undefined> {
  // Loading it prints an experimental warning, which is no use to the reader of a log.
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 24) return undefined;
  const name: string = 'node:sqlite';
  return (await import(name).catch(() => undefined)) as NodeSqlite | undefined;
}

/** Node opens files only. A copy also keeps the log of a running process from being touched. */
async function inFile({ DatabaseSync }: NodeSqlite, data: Uint8Array): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'teamfuse-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'log.db');
    await writeFile(path, data);
    const database = new DatabaseSync(path, { readOnly: true });
    return {
      rows: (query) => database.prepare(query).iterate(),
      close: async () => {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function inMemory(data: Uint8Array): Promise<Database> {
  const { default: initialise } = await import('../vendor/sqlite.ts');
  const { Database: Wasm } = (await initialise()) as WasmSqlite;
  const database = new Wasm(data);
  return {
    *rows(query) {
      const statement = database.prepare(query);
      try {
        while (statement.step()) yield statement.getAsObject();
      } finally {
        statement.free();
      }
    },
    close: async () => database.close(),
  };
}
