import { readFile } from 'node:fs/promises';
import { InvalidOptionError, type Signal } from '@teamfuse/core';
import { SIGNAL_FIELD_NAMES } from '@teamfuse/core/detectors';
import { parseSignal } from '@teamfuse/core/kit';
import { expectedName, show } from '@teamfuse/core/options';
import { BadInputError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';
import { at, checkPointer, isPointer } from '../transcript/json-pointer.ts';
import { TURN_MS } from '../transcript/transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format } from './format.ts';

interface Mapping {
  /** Gives the parts of a recorded value that are signals, or nearly. */
  map(value: unknown): Promise<readonly Fields[]>;
  /** Where the map looks for a field of a signal, if it says that. */
  pointerTo(field: string): string | undefined;
}

/** Fields of a map that are no fields of a signal. */
const OWN_FIELDS: readonly string[] = ['records', 'conversation', 'kinds'];
const FIELDS: readonly string[] = [...OWN_FIELDS, ...SIGNAL_FIELD_NAMES];

/**
 * A format of the user's own, from a file: JSON with a pointer for each field of a signal, or a JSONata expression that gives
 * signals.
 *
 * @throws {@link BadInputError} when the file is no such map.
 * @throws {@link InvalidOptionError} when `path` is none.
 */
export async function mappedFormat(path: string): Promise<Format> {
  const mapping = await mappingIn(path);
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
          const problem = (error: unknown): void => broken(line, problemOf(error, mapping));
          for (const fields of await mapped(mapping, value, problem)) {
            const signal = toSignal(fields, latest + TURN_MS, problem);
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
  mapping: Mapping,
  value: unknown,
  failed: (error: unknown) => void,
): Promise<readonly Fields[]> {
  try {
    return await mapping.map(value);
  } catch (error) {
    failed(error);
    return [];
  }
}

/** What is wrong in words, which name the pointer that leads to it. */
function problemOf(error: unknown, mapping: Mapping): string {
  const { message, field } = Object(error);
  const problem = String(message ?? error);
  const pointer = typeof field === 'string' ? mapping.pointerTo(field) : undefined;
  return pointer === undefined ? problem : `${problem} (at ${pointer})`;
}

/** The signal in mapped fields. Missing times follow one another; a kind that is not given is a message. */
function toSignal(
  fields: Fields,
  at: number,
  failed: (error: unknown) => void,
): Signal | undefined {
  const { at: given, kind = 'message', ...rest } = fields;
  const ms = typeof given === 'string' ? Date.parse(given) : given;
  try {
    return parseSignal({ ...rest, kind, at: typeof ms === 'number' && ms >= 0 ? ms : at });
  } catch (error) {
    failed(error);
    return undefined;
  }
}

async function mappingIn(path: string): Promise<Mapping> {
  if (typeof path !== 'string') throw new InvalidOptionError('path', 'the path of a file', path);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new BadInputError(path, `the map cannot be read: ${fileProblem(error)}`, {
      cause: error,
    });
  });
  // It leaves out the mark that editors put in front of UTF-8.
  const text = new TextDecoder().decode(bytes);
  try {
    return path.endsWith('.json') ? pointers(fieldsIn(text)) : await expression(text);
  } catch (error) {
    throw new BadInputError(path, String(Object(error).message ?? error), { cause: error });
  }
}

/** The fields of a map of pointers. */
function fieldsIn(text: string): Fields {
  const fields = fieldsOf(JSON.parse(text));
  if (fields === undefined)
    throw new Error('expected an object with a JSON pointer for each field');
  for (const name of Object.keys(fields)) {
    if (!FIELDS.includes(name)) {
      throw new Error(`field '${name}': expected ${expectedName(name, FIELDS, 'field')}`);
    }
  }
  return fields;
}

async function expression(text: string): Promise<Mapping> {
  const { default: jsonata } = await import('jsonata');
  const compiled = jsonata(text);
  return {
    async map(value) {
      const given: unknown = await compiled.evaluate(value);
      return recordsOf([given].flat());
    },
    pointerTo: () => undefined,
  };
}

/** `{ records?, conversation?, kinds?, …fields of a signal }`: each a pointer such as `/from/name`, or a constant. */
function pointers(given: Fields): Mapping {
  const { records, conversation, kinds } = given;
  const rest = Object.entries(given).filter(([name]) => !OWN_FIELDS.includes(name));
  for (const pointer of [records, conversation, ...rest.map(([, value]) => value)]) {
    checkPointer(pointer);
  }
  if (records !== undefined && !isPointer(records)) {
    throw new Error(
      `field 'records': expected a JSON pointer, such as /steps, received ${show(records)}`,
    );
  }
  const map = async (value: unknown): Promise<readonly Fields[]> => {
    const found = records === undefined ? value : at(value, records);
    if (found === undefined) throw new Error(`records: there is nothing at ${records}`);
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
  const pointerTo = (field: string): string | undefined => {
    const pointer = Object.hasOwn(given, field) ? given[field] : undefined;
    return isPointer(pointer) ? pointer : undefined;
  };
  return { map, pointerTo };
}
