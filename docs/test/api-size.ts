import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { BREAKER_OPTIONS } from '../../packages/core/src/breaker/breaker-options.ts';
import { PACKAGE_FOLDERS } from '../../test/package-folders.ts';
import { ROOT } from './blocks.ts';

/** How many names one path of a package exports. */
interface PathSize {
  /** Such as `@teamfuse/core/rx`. */
  readonly path: string;
  readonly values: number;
  readonly types: number;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | { readonly '@teamfuse/source'?: string }>>;
}

const CORE = 'packages/core/src';

/** Each path that a published package exports names under. */
export function pathSizes(): readonly PathSize[] {
  return [...PACKAGE_FOLDERS.values()].flatMap((folder) => {
    const manifest: Manifest = JSON.parse(read(join(folder, 'package.json')));
    if (manifest.private === true) return [];
    return Object.entries(manifest.exports).flatMap(([path, target]) => {
      const source = typeof target === 'string' ? undefined : target['@teamfuse/source'];
      if (source === undefined) return [];
      const names = exportsOf(join(folder, source));
      const types = names.filter(({ isType }) => isType).length;
      return [{ path: join(manifest.name, path), values: names.length - types, types }];
    });
  });
}

/** The parts of the API that users of a breaker meet, by name. */
export function breakerSizes(): Readonly<Record<string, number>> {
  return {
    'options of `Breaker`': Object.keys(BREAKER_OPTIONS).length,
    'members of `Breaker`': membersOf('breaker/breaker.ts', 'Breaker'),
    'members of `Conversation`': membersOf('breaker/conversation.ts', 'Conversation'),
    events: membersOf('events/breaker-events.ts', 'BreakerEventMap'),
    'codes of errors': codes(),
  };
}

function exportsOf(file: string): readonly { readonly isType: boolean }[] {
  const exported = parse(file).module.staticExports.flatMap(({ entries }) => entries);
  // The names behind a star are not counted here, so that none may be there.
  const unnamed = exported.find(({ exportName }) => exportName.kind !== 'Name');
  if (unnamed !== undefined) throw new TypeError(`${file} exports something without its name`);
  return exported;
}

/** The members of a class or an interface of core that users see: those without `@internal`. */
function membersOf(file: string, name: string): number {
  const text = read(join(CORE, file));
  const { program, comments } = parse(join(CORE, file));
  const statement = program.body.find(
    (one) =>
      one.type === 'ExportNamedDeclaration' &&
      one.declaration !== null &&
      'id' in one.declaration &&
      Object(one.declaration.id).name === name,
  );
  const members: readonly { start: number; key?: { type: string; name?: string } }[] =
    Object(statement).declaration.body.body;
  const names = members
    .filter(({ start, key }) => {
      const comment = comments.findLast(({ end }) => end <= start);
      const isAbove = comment !== undefined && text.slice(comment.end, start).trim() === '';
      return key?.type === 'Identifier' && !(isAbove && comment.value.includes('@internal'));
    })
    .map(({ key }) => key?.name)
    .filter((key) => key !== 'constructor');
  return new Set(names).size;
}

function codes(): number {
  const [, union = ''] =
    /type BreakerErrorCode =([^;]+);/.exec(read(join(CORE, 'common/errors.ts'))) ?? [];
  return union.match(/'\w+'/g)?.length ?? 0;
}

function parse(file: string) {
  return parseSync(file, read(file));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
