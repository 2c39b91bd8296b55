import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { redactSecrets } from '../../src/index.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const resolve = createRequire(import.meta.url).resolve;
const LINES = 10_000;
const MAX_WRONG = 5;

/** The lines of all files below a folder whose names end so, but for what is about secrets. */
function linesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        ending.test(file) && !/(?:^|\/)(?:redact|secrets|node_modules|dist|test)\//.test(file),
    )
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
}

const own = (): string[] =>
  ['packages/core/src', 'packages/cli/src', 'packages/adapter-kit/src', 'docs/guides'].flatMap(
    (folder) => linesBelow(join(ROOT, folder), /\.(?:[jt]s|md)$/),
  );

const foreign = (): string[] =>
  ['rxjs', 'fast-check', 'cockatiel', 'opossum'].flatMap((name) =>
    linesBelow(dirname(resolve(`${name}/package.json`)), /\.[cm]?js$/),
  );

/** Lines as servers, builds, tests and agents log them, with the ids and numbers that stand in such lines. */
function logs(count: number): string[] {
  const random = new SeededRandom(20);
  const from = (letters: string, length: number): string =>
    Array.from({ length }, () => letters[random.below(letters.length)]).join('');
  const number = (below: number): number => random.below(below);
  const hex = (length: number): string => from('0123456789abcdef', length);
  const id = (length: number): string =>
    from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length);
  const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
  const time = (): string => new Date(1_700_000_000_000 + number(1e10)).toISOString();
  const kinds: readonly (() => string)[] = [
    () =>
      `${time()} INFO [http-${number(9)}] GET /orders/${uuid()}?page=${number(9)}&sort=name 200 in ${number(900)} ms`,
    () =>
      `10.0.${number(255)}.${number(255)} - - [23/Nov/2026:18:24:37 +0000] "POST /v1/chat HTTP/1.1" 200 ${number(9e4)} "-" "curl/8.${number(9)}.1"`,
    () =>
      `{"level":"info","requestId":"${uuid()}","usage":{"prompt_tokens":${number(9e3)},"total_tokens":${number(9e4)}},"ms":${number(999)}}`,
    () =>
      `{"id":"chatcmpl-${id(29)}","object":"chat.completion","created":17${number(1e8)},"model":"gpt-4o-mini-2024-07-18"}`,
    () =>
      `tool call call_${id(24)}: search({"query":"flights to Oslo","max_tokens":${number(4e3)}})`,
    () => `commit ${hex(40)} (HEAD -> main, origin/main)`,
    () =>
      `    at Parser.parse (/srv/app/node_modules/acorn/dist/acorn.js:${number(9e3)}:${number(99)})`,
    () => `Unexpected token '${id(1)}', "${id(6)}..." is not valid JSON at position ${number(99)}`,
    () => `  integrity sha512-${id(86)}==`,
    () => `Pulling layer sha256:${hex(64)}: ${number(100)} % of ${number(999)} MB`,
    () =>
      `✓ test/auth/login.test.ts (${number(40)} tests) ${number(900)}ms, pass: ${number(40)}, fail: ${number(3)}`,
    () => `[${time()}] pod/api-${hex(10)}-${id(5).toLowerCase()} readiness probe failed: HTTP 503`,
    () => `ETag: W/"${hex(4)}-${id(27)}"  Last-Modified: Mon, 23 Nov 2026 18:24:37 GMT`,
    () => `PWD=/home/ada/work/app${number(9)} SHELL=/bin/bash LANG=C.UTF-8 SHLVL=1`,
    () =>
      `INSERT INTO orders (id, total, at) VALUES (${number(1e6)}, ${number(1e4)}.99, '${time()}');`,
    () =>
      `Order ${number(1e9)} for IBAN DE${number(1e9)}${number(1e9)} shipped, tracking 1Z${id(16).toUpperCase()}`,
    () => `docker run -u 1000:1000 -p 8080:80 --name web${number(99)} nginx:1.${number(30)}`,
    () => `mysql -h db-${number(9)} -P 3306 -e 'SELECT count(*) FROM orders'`,
    () =>
      `epoch ${number(90)}/90 - loss: 0.${number(1e6)} - accuracy: 0.${number(1e6)} - key: ${number(99)}`,
    () => `https://cdn.example.org/assets/app.${hex(20)}.js?v=${number(1e8)}#section-${number(99)}`,
  ];
  return Array.from({ length: count }, (_, i) => (kinds[i % kinds.length] as () => string)());
}

/** So many of the lines, evenly. */
function some(lines: readonly string[], count: number): string[] {
  const full = lines.filter((line) => line.trim() !== '');
  return Array.from(
    { length: count },
    (_, i) => full[Math.floor((i * full.length) / count)] as string,
  );
}

describe('ordinary code and logs', () => {
  it(`[RED13] are left as they are: of ${LINES} lines at most ${MAX_WRONG} lose something`, () => {
    const lines = [...some(own(), 4_000), ...some(foreign(), 3_000), ...logs(3_000)];
    expect(lines).toHaveLength(LINES);
    const wrong = lines.filter((line) => redactSecrets(line) !== line);
    expect(wrong.slice(0, MAX_WRONG)).toEqual(wrong);
  });
});
