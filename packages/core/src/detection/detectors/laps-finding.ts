import type { Finding, FindingKind } from '../finding.ts';
import type { LapStep, Laps } from '../steps/lap-step.ts';
import { foreseenReason, lapsReason } from './laps-reason.ts';

/** Most indices shown, the latest ones. */
const MAX_INDICES = 64;
/** Names a run of code. */
const RUN = 'a run';

/** The finding for a team that certainly goes in circles, or has one lap to go until then. */
export function lapsFinding(kind: FindingKind, found: Laps, limit: number): Finding {
  const { steps, period, laps, newsAt } = found;
  const agents = [...new Set(steps.map(({ agent }) => agent))];
  const lap = steps.slice(-period).map(nameOf);
  const { reason, unquoted } = lapsReason(steps, period);
  return {
    level: laps < limit ? 'warn' : 'trip',
    kind,
    reason,
    evidence: {
      agents,
      indices: steps.slice(-MAX_INDICES).map(({ index }) => index),
      count: laps,
      limit,
      newsAt,
      ...(period > 1 && { period }),
      subject: lap.join(' → '),
    },
    unquoted: { reason: unquoted },
    basis: 'certain',
  };
}

/** The finding for a call that would complete such laps; the last step is not made yet. */
export function foreseenFinding(
  kind: FindingKind,
  found: Laps,
  limit: number,
  tool: string,
): Finding {
  const { steps, period, laps } = found;
  const finding = lapsFinding(kind, { ...found, steps: steps.slice(0, -1) }, limit);
  // While waiting, several polls are one lap.
  const round = Math.max(laps, Math.ceil(steps.length / period));
  const { reason, unquoted } = foreseenReason(steps, period, round, tool);
  return {
    ...finding,
    reason,
    evidence: { ...finding.evidence, subject: steps.slice(-period).map(nameOf).join(' → ') },
    unquoted: { reason: unquoted },
  };
}

/** The tool that was called, a run, or the agent that spoke. */
function nameOf({ isAct, tool, agent }: LapStep): string {
  return tool || (isAct ? RUN : agent);
}
