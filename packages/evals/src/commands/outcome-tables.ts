import { AS_RECORDED } from '../conversations/tellings.ts';
import { PEERS } from '../peers/peers.ts';
import { type OutcomeScore, share } from '../scores/outcome-tally.ts';
import type { SourceScore } from '../scores/score-outcomes.ts';
import { GROUPS, groupOf } from '../scores/source-groups.ts';
import type { StopPolicy } from '../scores/watcher.ts';
import { type Cell, table } from './table.ts';

const HEAD = [
  'source',
  'telling',
  'policy',
  'successes stopped',
  'failures stopped',
  'their turns saved',
  'their tokens saved',
];

/** What each policy did to each source, in each of its tellings. */
export function outcomeTable(scores: readonly SourceScore[]): string {
  return table([HEAD, ...scores.map(rowOf)]);
}

/** What each policy stopped of each group of sources: as recorded, and with each telling that differs counted as a run. */
export function summaryTables(scores: readonly SourceScore[]): readonly string[] {
  const recorded = scores.filter(({ telling }) => telling === AS_RECORDED.name);
  return [summary(AS_RECORDED.name, recorded), summary('in every telling', scores)];
}

/** Where the rules of peers come from, of those that were run. */
export function peersTable(policies: readonly StopPolicy[]): string {
  const peers = PEERS.filter(({ name }) => policies.some((policy) => policy.name === name));
  const rows = peers.map(({ name, version, source }) => [name, version, source]);
  return table([['policy', 'version', 'documented at'], ...rows]);
}

function rowOf({ source, telling, policy, successes, failures }: SourceScore): Cell[] {
  return [
    source,
    telling,
    policy,
    ofAll(successes.stopped, successes.runs),
    ofAll(failures.stopped, failures.runs),
    percent(failures.savedTurns),
    percent(failures.savedTokens),
  ];
}

function summary(title: string, scores: readonly SourceScore[]): string {
  const groups = GROUPS.filter((group) => scores.some(({ source }) => groupOf(source) === group));
  const columns = groups.flatMap((group) => [`${group}: successes stopped`, 'failures stopped']);
  const policies = [...new Set(scores.map(({ policy }) => policy))];
  const rows = policies.map((policy) => {
    const own = scores.filter((score) => score.policy === policy);
    const cells = groups.flatMap((group) => {
      const ofGroup = own.filter(({ source }) => groupOf(source) === group);
      return [sum(ofGroup.map((one) => one.successes)), sum(ofGroup.map((one) => one.failures))];
    });
    return [policy, ...cells];
  });
  return table([[title, ...columns], ...rows]);
}

function sum(scores: readonly OutcomeScore[]): string {
  const stopped = scores.reduce((all, { toldStopped }) => all + toldStopped, 0);
  const runs = scores.reduce((all, { told }) => all + told, 0);
  return ofAll(stopped, runs);
}

function ofAll(stopped: number, runs: number): string {
  return runs === 0 ? '-' : `${stopped} of ${runs}, ${percent(share(stopped, runs))}`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
