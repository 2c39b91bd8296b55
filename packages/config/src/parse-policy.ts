import { Breaker, InvalidOptionError } from '@teamfuse/core';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { locateKey, type PathStep } from './locate-key.ts';
import type { Policy } from './policy.ts';
import { PolicyError } from './policy-error.ts';
import { policyFor } from './policy-for.ts';
import { policySchema, type Section } from './policy-schema.ts';
import { keysOf, optionsOf } from './section.ts';

/** Characters: more than any policy written by hand has. */
export const MAX_LENGTH = 100_000;

/**
 * Reads a policy from the text of a `teamfuse.toml`. Every team's options are checked as a breaker would.
 *
 * @param file the name for errors.
 * @throws {@link PolicyError} naming file, line, column and key, what was expected and what was received.
 * @throws {@link InvalidOptionError} if `text` or `file` is no text.
 * @example
 * ```ts
 * const policy = parsePolicy('cooldownMs = "15m"\nbudget.maxUsd = "$6"', 'teamfuse.toml');
 * policy.options; // => { cooldownMs: 900_000, budget: { maxUsd: 6 } }
 * ```
 */
export function parsePolicy(text: string, file: string): Policy {
  if (typeof text !== 'string') throw new InvalidOptionError('text', 'the text of a policy', text);
  if (typeof file !== 'string') throw new InvalidOptionError('file', 'the name of a file', file);
  const given = read(text, file);
  refuseProto(given, [], { file, text });
  const result = policySchema.safeParse(given, { reportInput: true });
  if (!result.success) throw problemOf(foremost(result.error.issues), text, file);
  const { teams = {}, gateway, ...common } = result.data;
  const policy: Policy = {
    file,
    text,
    options: optionsOf(common),
    teams: Object.fromEntries(Object.entries(teams).map(([name, own]) => [name, optionsOf(own)])),
    ...(gateway && { gateway }),
  };
  for (const team of Object.values(gateway?.keys ?? {})) policyFor(policy, team);
  checkWithBreaker(policy, undefined, common);
  for (const [team, own] of Object.entries(teams)) checkWithBreaker(policy, team, own);
  return policy;
}

/** The breaker checks values and their combinations. */
function checkWithBreaker(policy: Policy, team: string | undefined, section: Section): void {
  try {
    new Breaker(policyFor(policy, team));
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    const { option, expected, received } = error;
    const path = [...(team === undefined ? [] : ['teams', team]), ...keysOf(option, section)];
    const { file, text } = policy;
    const problem = { file, ...locateKey(text, path), key: path.join('.'), expected, received };
    throw new PolicyError(problem, { cause: error });
  }
}

function read(text: string, file: string): unknown {
  if (text.length > MAX_LENGTH) {
    const expected = `at most ${MAX_LENGTH} characters`;
    throw new PolicyError({ file, key: '', expected, received: `${text.length}` });
  }
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column, message } = error;
    const [, received = message] = /^Invalid TOML document: (.*)$/m.exec(message) ?? [];
    const problem = { file, line, column, key: '', expected: 'valid TOML', received };
    throw new PolicyError(problem, { cause: error }, `invalid TOML: ${received}`);
  }
}

/** A key of this name would be lost on the way. */
function refuseProto(value: unknown, path: readonly PathStep[], policy: PolicyText): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const inside = [...path, name];
    if (name === '__proto__') {
      const { file, text } = policy;
      const problem = { expected: 'another name', received: `"${name}"` };
      throw new PolicyError({
        file,
        ...locateKey(text, inside),
        key: inside.join('.'),
        ...problem,
      });
    }
    refuseProto(inner, inside, policy);
  }
}

type PolicyText = Pick<Policy, 'file' | 'text'>;

/** The first issue, or a name in the same table that is unknown: it may be why another one is missing. */
function foremost([first, ...others]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const table = String(first?.path.slice(0, -1));
  const unknown = others.find(
    ({ code, path }) => code === 'unrecognized_keys' && String(path) === table,
  );
  return (unknown ?? first) as z.core.$ZodIssue;
}

function problemOf(given: z.core.$ZodIssue, text: string, file: string): PolicyError {
  const issue = innermost(given);
  const path = [...issue.path] as PathStep[];
  let received = issue.input;
  let wanted = issue.message;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    // No option begins with a digit: this is the rest of a name, such as that of `gpt-4.1`.
    if (/^\d/.test(key)) wanted = `quotes around a name with a dot ("${path.at(-1)}.${key}")`;
    path.push(key);
    received = Object(received)[key];
  }
  const { expected, received: shown } = new InvalidOptionError('', wanted, received);
  const key = path.map(String).join('.');
  return new PolicyError({ file, ...locateKey(text, path), key, expected, received: shown });
}

/** For a union of shapes, the issue inside the given table. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inside = issue.errors
    .flat()
    .find(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');
  if (inside === undefined) return issue;
  return innermost({ ...inside, path: [...issue.path, ...inside.path] });
}
