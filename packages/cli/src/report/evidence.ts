import type { SignalKind } from '@teamfuse/core/kit';
import type { ReplayedTrip } from '../replay/replay.ts';
import type { Trace } from '../replay/trace.ts';
import type { VNode } from '../vendor/markup.ts';
import { el } from './parts.ts';

const MAX_EVIDENCE = 8;

/** What shows the loop, side by side: in full where the turn is at hand, or else as the trip quotes it. */
export function evidence({ turns }: Trace, trip: ReplayedTrip | undefined): VNode | null {
  if (trip === undefined) return null;
  const marked = turns.filter(({ isEvidence }) => isEvidence);
  const quoted =
    marked.length > 0
      ? marked.map(({ turn, ...said }) => ({ place: `turn ${turn}`, ...said }))
      : trip.evidence.signals.map(({ index, excerpt = '', ...said }) => ({
          place: `#${index}`,
          text: excerpt,
          ...said,
        }));
  if (quoted.length === 0) return null;
  const shown = quoted.slice(-MAX_EVIDENCE);
  const hidden = quoted.length - shown.length;
  const title = hidden > 0 ? `Evidence: the last ${shown.length} of ${quoted.length}` : 'Evidence';
  const items = shown.map(({ place, agent, kind, text }) =>
    el('li', null, [
      el('div', { class: 'who' }, [el('strong', null, place), ' ', el('bdi', null, agent)]),
      el('div', { class: classOf(kind), dir: 'auto' }, text),
    ]),
  );
  return el('div', null, [
    el('h3', null, title),
    el('ol', { class: 'evidence', tabIndex: 0, 'aria-label': title }, items),
  ]);
}

/** Code and its output are set in a monospaced font. */
export function classOf(kind: SignalKind): string {
  return kind === 'tool-call' || kind === 'execution' ? 'text code' : 'text';
}
