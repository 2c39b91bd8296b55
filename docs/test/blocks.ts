import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDERS } from '../../test/package-folders.ts';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
const API = join(ROOT, 'docs/api');

/** A TypeScript block of a document or of a doc comment. */
export interface Block {
  /** The file, from the root, and the line where the block begins. */
  readonly file: string;
  readonly line: number;
  /** The lines before and after the block that readers do not see. */
  readonly given: string;
  readonly after: string;
  readonly code: string;
  /** The package whose doc comment it stands in: its exports need no import. */
  readonly owner?: string;
  /** Why it is compiled only, where it is. */
  readonly notRun?: string;
}

const FENCE = /^( *)```(?:ts|typescript)[^\n]*\n([\s\S]*?)^\1```$/gm;
/** `<!-- given … -->`, `<!-- after … -->` or `<!-- not run: … -->`, right before a block. */
const COMMENT = /<!-- (given|after|not run:)((?:(?!-->)[\s\S])*)-->\s*$/;
const POLICY = /^```toml\n([\s\S]*?)^```$/gm;
const DOC_COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** Every block of every document of the repository. */
export function blocksOfDocuments(): Block[] {
  return documents().flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(FENCE)].map((match) => {
      const before = text.slice(0, match.index);
      const [, kind, hidden = ''] = COMMENT.exec(before) ?? [];
      return {
        ...placeOf(file, before),
        given: kind === 'given' ? hidden : '',
        after: kind === 'after' ? hidden : '',
        code: match[2] ?? '',
        ...(kind === 'not run:' && { notRun: hidden.trim() }),
      };
    });
  });
}

/** Every policy that a document shows. */
export function policiesOfDocuments(): Pick<Block, 'file' | 'line' | 'code'>[] {
  return documents().flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(POLICY)].map((match) => ({
      ...placeOf(file, text.slice(0, match.index)),
      code: match[1] ?? '',
    }));
  });
}

/** Every block of a doc comment of a published package. */
export function blocksOfComments(): Block[] {
  return publishedPackages().flatMap(([name, folder]) =>
    filesIn(join(ROOT, folder, 'src'), '.ts').flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...text.matchAll(DOC_COMMENT)].flatMap((comment) => {
        const lines = comment[0].replace(/^ *\* ?/gm, '');
        return [...lines.matchAll(FENCE)].map((match) => ({
          ...placeOf(file, text.slice(0, comment.index) + lines.slice(0, match.index)),
          given: '',
          after: '',
          code: match[2] ?? '',
          owner: name,
        }));
      });
    }),
  );
}

/** Every document of the repository. */
export function documents(): string[] {
  const flat = ['', 'packages/autogen', ...PACKAGE_FOLDERS.values()].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(ROOT, folder, name)),
  );
  return [
    ...flat,
    ...filesIn(join(ROOT, 'docs'), '.md'),
    ...filesIn(join(ROOT, 'examples'), '.md'),
  ];
}

function publishedPackages(): (readonly [name: string, folder: string])[] {
  return [...PACKAGE_FOLDERS].filter(([, folder]) => {
    const manifest = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { private?: boolean }).private !== true;
  });
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isGenerated =
        entry.name === 'node_modules' || entry.name.startsWith('.') || path === API;
      return isGenerated ? [] : filesIn(path, ending);
    }
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

function placeOf(file: string, before: string): Pick<Block, 'file' | 'line'> {
  return { file: relative(ROOT, file), line: before.split('\n').length };
}

/** A file name for a block. */
export function nameOf({ file, line }: Block): string {
  return `${file.replace(/\.(md|ts)$/, '').replaceAll('/', '-')}-${line}.ts`;
}
