import { INK } from './draw.ts';

const LIGHT = `--paper: #fff; --card: #f6f7f9; --text: #1b1f24; --dim: #57606a; --line: #d0d7de;
  --plain: #2f6fbb; --loop: #b3261e; --saved: #767d86; --mark: #fdeceb;`;
const DARK = `--paper: #14171b; --card: #1e2329; --text: #e6e9ed; --dim: #a3abb5; --line: #3b424b;
  --plain: #7fb2ee; --loop: #ff8a80; --saved: #9aa3ad; --mark: #3d2322;`;

/** Charts have names of colours; here they get them, for light and for dark. */
const CHART_COLOURS = Object.entries(INK)
  .flatMap(([name, ink]) => [
    `svg [fill="${ink}"] { fill: var(--${name}); }`,
    `svg [stroke="${ink}"] { stroke: var(--${name}); }`,
  ])
  .join('\n');

/** The style sheet of a report. */
export const STYLE: string = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--plain); } p { margin: .25rem 0 .75rem; } .dim { color: var(--dim); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .75rem; margin: 1rem 0; }
.figures div, .evidence li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; min-width: 0; }
.figures dt { color: var(--dim); } .figures dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
.figures dd small { display: block; font-size: .875rem; font-weight: 400; color: var(--dim); }
section.conversation { border-top: 2px solid var(--line); margin-top: 2rem; }
.reason { border-left: .25rem solid var(--loop); background: var(--mark); padding: .5rem .75rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin: 1rem 0; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; }
.chart { overflow-x: auto; } .chart svg { display: block; width: 100%; min-width: 30rem; height: auto; }
svg text { font: 12px sans-serif; }
${CHART_COLOURS}
.evidence { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.evidence li { border-left: .25rem solid var(--loop); }
.text { white-space: pre-wrap; max-height: 12rem; overflow: auto; unicode-bidi: isolate; font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td { min-width: 4rem; } td.wide { min-width: 14rem; overflow-wrap: anywhere; }
tr.loop { background: var(--mark); } tr.after { color: var(--dim); }
summary { cursor: pointer; padding: .25rem 0; }
:focus-visible { outline: 2px solid var(--plain); outline-offset: 2px; }
@media print { body { max-width: none; } .text { max-height: none; } figure, .evidence li { break-inside: avoid; } .chart svg { min-width: 0; } }
`;
