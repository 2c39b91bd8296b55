import { dirname } from 'node:path';
import { addLine } from './add-line.ts';
import type { Check } from './check.ts';
import { type Installed, versionIn } from './installed-packages.ts';
import { isInSources } from './sources.ts';

/** A client of a model's API that takes a `fetch`. */
interface Sdk {
  readonly name: string;
  readonly package: string;
  readonly line: string;
}

const SDKS: readonly Sdk[] = [
  { name: 'OpenAI SDK', package: 'openai', line: 'new OpenAI({ fetch: guardFetch(breaker) })' },
  {
    name: 'Anthropic SDK',
    package: '@anthropic-ai/sdk',
    line: 'new Anthropic({ fetch: guardFetch(breaker) })',
  },
];
const WIRE = '@teamfuse/wire';
/** What guards model calls of one's own: the traffic of a client, or a step of `breaker.run`. */
const GUARDS = [WIRE, 'model-request'];
const PAGE = 'https://github.com/teamfuse/teamfuse/blob/main/docs/guides/traffic.md';

/**
 * Checks whether the clients of models that a project uses are guarded. Its sources tell: other packages bring the guard of
 * traffic along.
 */
export function checkSdks(installed: Installed): Check[] {
  const { manifest, asked, packages } = installed;
  if (manifest === undefined) return [];
  const project = dirname(manifest);
  const used = SDKS.filter((sdk) => asked.has(sdk.package));
  const isGuarded = used.length > 0 && isInSources(project, GUARDS);
  return used.map(({ name, package: client, line }) => {
    const version = [client, versionIn(project, client)].join(' ').trim();
    if (isGuarded) return { name, status: 'ok', found: `${version}, with a guard` };
    const isThere = asked.has(WIRE) && packages.some((one) => one.name === WIRE);
    const add = isThere ? '' : `${addLine([WIRE], installed)}, and `;
    const advice = `${add}add: ${line} (${PAGE})`;
    return { name, status: 'warn', found: `${version}, no guard in the sources`, advice };
  });
}
