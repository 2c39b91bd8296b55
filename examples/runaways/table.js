import Table from 'cli-table3';

const COLUMNS = ['team', 'turns', 'tokens', 'cost', 'turns', 'tokens', 'cost', 'saved', 'turns'];

/** The measurements as a table for people, at most 100 columns wide. Why a team was stopped stands below it. */
export function table(rows) {
  const printed = new Table({
    colAligns: ['left', ...COLUMNS.slice(1).map(() => 'right')],
    colWidths: [25, 7, 8, 9, 7, 8, 9, 7, 10],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  printed.push(
    [
      '',
      { content: 'without a breaker', colSpan: 3, hAlign: 'center' },
      { content: 'with Teamfuse', colSpan: 4, hAlign: 'center' },
      'no judge',
    ],
    COLUMNS,
  );
  for (const row of rows) {
    printed.push(cellsOf(row));
    const { trip } = row.with;
    if (trip) printed.push([{ content: `${trip.kind}: ${trip.reason}`, colSpan: COLUMNS.length }]);
  }
  return printed.toString();
}

function cellsOf({ title, twin, without, with: guarded, withoutJudge, savedRatio }) {
  return [
    twin ? '  healthy twin' : title,
    without.turns,
    without.tokens,
    usd(without.usd),
    guarded.turns,
    guarded.tokens,
    usd(guarded.usd),
    twin ? '' : `${Math.round(savedRatio * 100)} %`,
    withoutJudge.turns,
  ];
}

function usd(amount) {
  return `$${amount.toFixed(4)}`;
}
