/** How much one cell of a bar stands for. The dearest team of the demo costs about ten of them. */
const USD_PER_CELL = 0.04;
const [TEAM, BAR, COST, SAVED, BASIS] = [24, 11, 13, 5, 9];

const BASES = {
  certain: 'counted',
  declared: 'declared',
  judged: 'judged',
  suspected: 'suspected',
};

export const HEADER = line('team', 'cost', '', 'saved', 'stopped', 'healthy twin');

/** Whether the run ended before it would have ended by itself. */
export function isStopped({ without, with: { trip, turns } }) {
  return trip !== null && turns < without.turns;
}

/** One team and its healthy twin in one line of at most 80 columns. */
export function rowOf(row, twin) {
  const { title, without, with: guarded, savedRatio } = row;
  const cost = `${usd(without.usd)} → ${usd(guarded.usd)}`;
  const basis = isStopped(row) ? BASES[guarded.trip.basis] : guarded.trip ? 'too late' : 'no';
  return line(title, bar(without.usd, guarded.usd), cost, percent(savedRatio), basis, fateOf(twin));
}

/** What is measured of one run, for people who want to know more than the row says. */
export function detailsOf({ title, twin, without, with: guarded, withoutJudge }) {
  const runs = [
    ['without a breaker', without],
    ['with Teamfuse', guarded],
    ['without its judge', withoutJudge],
  ];
  return [
    twin ? `${title}, the healthy twin` : title,
    ...runs.map(([what, run]) => `  ${what.padEnd(18)} ${detailOf(run)}`),
  ].join('\n');
}

function detailOf({ turns, tokens, usd: amount, questions, trip }) {
  const asked =
    questions === 0
      ? ''
      : `, ${questions} ${questions === 1 ? 'question' : 'questions'} to the judge`;
  const stopped = trip ? `\n    ${trip.kind}: ${trip.reason}` : '';
  return `${turns} turns, ${tokens} tokens, $${amount.toFixed(4)}${asked}${stopped}`;
}

function line(team, chart, cost, saved, basis, twin) {
  return [
    team.padEnd(TEAM),
    chart.padEnd(BAR),
    cost.padEnd(COST),
    saved.padStart(SAVED),
    basis.padEnd(BASIS),
    twin,
  ].join(' ');
}

/** What is spent with a breaker is dark, and what the team would cost without one is the whole bar. */
function bar(without, withIt) {
  const cells = (amount) => Math.max(1, Math.round(amount / USD_PER_CELL));
  const dark = cells(withIt);
  return '█'.repeat(dark) + '░'.repeat(Math.max(0, cells(without) - dark));
}

function fateOf({ with: guarded, withoutJudge }) {
  return guarded.trip || withoutJudge.trip ? 'STOPPED' : 'left alone';
}

function percent(ratio) {
  return `${Math.round(ratio * 100)} %`;
}

function usd(amount) {
  return `$${amount.toFixed(2)}`;
}
