import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './blocks.ts';

interface Part {
  readonly text: string;
}

/** As much of the language service as is asked here: what an editor shows at a place. */
interface Service {
  getQuickInfoAtPosition(file: string, at: number): Info;
  getSemanticDiagnostics(file: string): readonly { readonly messageText: unknown }[];
}

interface Info {
  readonly displayParts: readonly Part[];
  readonly documentation: readonly Part[];
  readonly tags?: readonly { readonly name: string; readonly text: readonly Part[] }[];
}

// The API reference has a compiler with a language service; that of the workspace has none.
const ts = createRequire(join(ROOT, 'docs/api/package.json'))('typescript');

const FILE = join(ROOT, 'hover.ts');
const SOURCE = `import { Breaker } from './packages/core/src/index.ts';
new Breaker({ repetition: { maxSelfRepetitions: 4 }, maxTurns: 3 });
new Breaker({ repetition: { limit: '3' } });
`;

function startService(): Service {
  const options = {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  };
  const text = (file: string): string | undefined =>
    file === FILE ? SOURCE : ts.sys.readFile(file);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file: string) => {
      const found = text(file);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file: string) => file === FILE || ts.sys.fileExists(file),
    readFile: text,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
}

describe('an editor', () => {
  let service: Service;
  beforeAll(() => {
    service = startService();
  });

  const shown = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('');

  it('[SITE7] shows meaning and default of an option inside another one', () => {
    const info = service.getQuickInfoAtPosition(FILE, SOURCE.indexOf('maxSelfRepetitions'));
    expect(shown(info.displayParts)).toBe(
      '(property) RepetitionOptions.maxSelfRepetitions?: number',
    );
    expect(shown(info.documentation)).toBe('How many times one message may repeat itself.');
    expect(info.tags?.map(({ name, text }) => [name, shown(text)])).toEqual([
      ['defaultValue', '20'],
    ]);
  });

  it('[SITE7] shows the meaning of a limit', () => {
    const info = service.getQuickInfoAtPosition(FILE, SOURCE.indexOf('maxTurns'));
    expect(shown(info.documentation)).toBe('Messages of the outermost conversation.');
  });

  it('[SITE7] says of a wrong value what it should be', () => {
    const [problem, ...others] = service.getSemanticDiagnostics(FILE);
    expect(problem?.messageText).toBe("Type 'string' is not assignable to type 'number'.");
    expect(others).toEqual([]);
  });
});
