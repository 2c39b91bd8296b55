import type { LapStep, Laps } from '../analysis/laps.ts';
import { quotation } from '../excerpt.ts';
import type { Finding, FindingKind } from '../finding.ts';
import { named } from './describe-failure.ts';

/** Most indices shown, the latest ones. */
const MAX_INDICES = 64;
/** Most steps of a lap named in a reason. */
const MAX_NAMED = 6;
/** Names a run of code. */
const RUN = 'a run';

/** The finding for a team that certainly goes in circles. @internal */
export function lapsFinding(kind: FindingKind, found: Laps, limit: number): Finding {
  const { steps, period, laps, newsAt } = found;
  const agents = [...new Set(steps.map(({ agent }) => agent))];
  const lap = steps.slice(-period).map(nameOf);
  const quoted = lap.slice(0, MAX_NAMED).map((name) => (name === RUN ? name : quotation(name)));
  const named = lap.length > MAX_NAMED ? [...quoted, '…'] : quoted;
  const repeated = steps.length - period;
  const which = repeated === 1 ? 'the last step' : `the last ${repeated} steps all`;
  const again = `${which} happened before: ${laps} laps of`;
  return {
    level: 'trip',
    kind,
    reason: `${again} ${named.join(', ')}`,
    evidence: {
      agents,
      indices: steps.slice(-MAX_INDICES).map(({ index }) => index),
      count: laps,
      limit,
      newsAt,
      ...(period > 1 && { period }),
      subject: lap.join(' → '),
    },
    unquoted: { reason: `${again} ${period === 1 ? 'one step' : `${period} steps`}` },
    basis: 'certain',
  };
}

/** The finding for a call that would complete such laps; the last step is not made yet. @internal */
export function foreseenFinding(
  kind: FindingKind,
  found: Laps,
  limit: number,
  tool: string,
): Finding {
  const { steps, period, laps } = found;
  const finding = lapsFinding(kind, { ...found, steps: steps.slice(0, -1) }, limit);
  // While waiting, several polls are one lap.
  const times = ordinal(Math.max(laps, Math.ceil(steps.length / period)));
  const which =
    period === 1
      ? `be the same call for the ${times} time`
      : `complete the same ${period} steps for the ${times} time`;
  const reason = `would ${which}${sameness(steps)}`;
  return {
    ...finding,
    reason: `${named(tool)}(...) ${reason}`,
    evidence: { ...finding.evidence, subject: steps.slice(-period).map(nameOf).join(' → ') },
    unquoted: { reason: `the next call ${reason}` },
  };
}

/** What repeats besides the calls: nothing if a declared key decides. */
function sameness(steps: readonly LapStep[]): string {
  if (steps.some(({ key, ask }) => key === ask)) return '';
  const isResult = steps.every(({ isAct, isPatient }) => isAct && isPatient);
  return `, with the same ${isResult ? 'result' : 'outcome'} each time`;
}

const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(count: number): string {
  if (count === 2) return 'second';
  return count === 3 ? 'third' : `${count}${SUFFIXES[ORDINALS.select(count)] ?? 'th'}`;
}

/** The tool that was called, a run, or the agent that spoke. */
function nameOf({ isAct, tool, agent }: LapStep): string {
  return tool || (isAct ? RUN : agent);
}
