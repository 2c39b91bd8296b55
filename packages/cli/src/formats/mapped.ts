import { readFile } from 'node:fs/promises';
import { InvalidOptionError, type Signal } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';
import type { ReportBroken } from '../input/lines.ts';
import { at, checkPointer, isPointer } from '../transcript/json-pointer.ts';
import { TURN_MS } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format } from './format.ts';

/** Gives the parts of a recorded value that are signals, or nearly. */
type Mapping = (value: unknown) => Promise<readonly Fields[]>;

/** Fields of a map that are no fields of a signal. */
const OWN_FIELDS: readonly string[] = ['records', 'conversation', 'kinds'];

/**
 * A format of the user's own, from a file: JSON with a pointer for each field of a signal, or a JSONata expression that gives
 * signals.
 *
 * @throws {@link BadInputError} when the file is no such map.
 * @throws {@link InvalidOptionError} when `path` is none.
 */
export async function mappedFormat(path: string): Promise<Format> {
  const map = await mappingIn(path);
  const title = `values that ${path} maps to signals`;
  return {
    id: 'mapped',
    title,
    recognise: () => true,
    async *read({ source, broken, values }) {
      let latest = 0;
      for await (const batch of values()) {
        const stretches = new Map<string, Signal[]>();
        for (const { line, value } of batch) {
          for (const fields of await mapped(map, value, line, broken)) {
            const signal = toSignal(fields, latest + TURN_MS, (problem) => broken(line, problem));
            if (signal === undefined) continue;
            latest = Math.max(latest, signal.at);
            const id = nameIn(fields.conversation) ?? source;
            const stretch = stretches.get(id);
            if (stretch === undefined) stretches.set(id, [signal]);
            else stretch.push(signal);
          }
        }
        for (const [id, signals] of stretches) yield { id, source, signals, isOpen: true };
      }
    },
  };
}

async function mapped(
  map: Mapping,
  value: unknown,
  line: number,
  broken: ReportBroken,
): Promise<readonly Fields[]> {
  try {
    return await map(value);
  } catch (error) {
    broken(line, String(Object(error).message ?? error));
    return [];
  }
}

/** The signal in mapped fields. Missing times follow one another; a kind that is not given is a message. */
function toSignal(
  fields: Fields,
  at: number,
  broken: (problem: string) => void,
): Signal | undefined {
  const { at: given, kind = 'message', ...rest } = fields;
  const ms = typeof given === 'string' ? Date.parse(given) : given;
  try {
    return parseSignal({ ...rest, kind, at: typeof ms === 'number' && ms >= 0 ? ms : at });
  } catch (error) {
    broken(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

async function mappingIn(path: string): Promise<Mapping> {
  if (typeof path !== 'string') throw new InvalidOptionError('path', 'the path of a file', path);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new BadInputError(path, `the map cannot be read: ${fileProblem(error)}`, {
      cause: error,
    });
  });
  try {
    return text.trimStart().startsWith('{') && path.endsWith('.json')
      ? pointers(JSON.parse(text))
      : await expression(text);
  } catch (error) {
    throw new BadInputError(path, String(Object(error).message ?? error), { cause: error });
  }
}

async function expression(text: string): Promise<Mapping> {
  const { default: jsonata } = await import('jsonata');
  const compiled = jsonata(text);
  return async (value) => {
    const given: unknown = await compiled.evaluate(value);
    return recordsOf([given].flat());
  };
}

/** `{ records?, conversation?, kinds?, …fields of a signal }`: each a pointer such as `/from/name`, or a constant. */
function pointers(map: Fields): Mapping {
  const { records, conversation, kinds } = map;
  const rest = Object.entries(map).filter(([name]) => !OWN_FIELDS.includes(name));
  for (const pointer of [records, conversation, ...rest.map(([, value]) => value)]) {
    checkPointer(pointer);
  }
  return async (value) => {
    const found = records === undefined ? value : at(value, String(records));
    return recordsOf([found].flat()).map((record) => {
      const fields = Object.fromEntries(
        rest.flatMap(([name, pointer]) => {
          const got = isPointer(pointer) ? at(record, pointer) : pointer;
          return got === undefined ? [] : [[name, got]];
        }),
      );
      const kind = fieldsOf(kinds)?.[String(fields.kind)] ?? fields.kind;
      const own = isPointer(conversation)
        ? (at(record, conversation) ?? at(value, conversation))
        : conversation;
      return {
        ...fields,
        ...(kind !== undefined && { kind }),
        ...(own !== undefined && { conversation: String(own) }),
      };
    });
  };
}
