import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DETECTOR_SPECS } from '../packages/core/src/detection/detectors/default-detectors.ts';
import { DETECTOR_KINDS } from '../packages/core/src/detection/finding.ts';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));

/** Where all detectors are listed. */
const LISTS = [
  'core/src/detection/detectors/default-detectors.ts',
  'core/src/detection/finding.ts',
];

/** What names a detector for another reason than to list them: measures, limits and conditions that are about this one, or trip as it does. */
const ABOUT = [
  'core/src/detection/suspicion/suspicion.ts',
  'core/src/detection/suspicion/suspicion-score.ts',
  'core/src/throttle/throttle.ts',
  'core/src/breaker/conversation-parts.ts',
  'core/src/guard/function-guard.ts',
  'core/src/detection/limits/limit-options.ts',
  'core/src/breaker/presets.ts',
  'adapter-agentchat/src/conditions/detectors.ts',
];

/** All source files of the product; the evals keep lists of their own, to measure it by. */
const SOURCES = readdirSync(PACKAGES)
  .map((name) => join(name, 'src'))
  .filter((room) => room !== join('evals', 'src') && existsSync(join(PACKAGES, room)))
  .flatMap((room) =>
    readdirSync(join(PACKAGES, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(room, file).replaceAll('\\', '/')),
  );

/** A file without its comments. */
function codeOf(name: string): string {
  const text = readFileSync(join(PACKAGES, name), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

describe('a built-in detector', () => {
  it('[HOUSE13] has a kind, an option and a file of the same name', () => {
    const camel = (kind: string): string => kind.replace(/-(\w)/g, (_, a) => a.toUpperCase());
    const named = DETECTOR_SPECS.map(({ kind, name }) => [kind, name]);
    expect(named.toSorted()).toEqual(DETECTOR_KINDS.map((kind) => [kind, camel(kind)]).toSorted());
    for (const kind of DETECTOR_KINDS)
      expect(SOURCES).toContain(`core/src/detection/detectors/${kind}.ts`);
  });

  it.each(DETECTOR_SPECS)(
    '[HOUSE13] is named in its own file and two lists alone: $kind',
    (spec) => {
      const { kind, name } = spec;
      const own = `core/src/detection/detectors/${kind}.ts`;
      const naming = new RegExp(`'(?:${kind}|${name})'|\\b${name}\\b\\??:`);
      const others = SOURCES.filter((file) => ![own, ...LISTS, ...ABOUT].includes(file));
      expect(others.filter((file) => naming.test(codeOf(file)))).toEqual([]);
    },
  );
});
