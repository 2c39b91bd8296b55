import { INK } from './draw.ts';

const LIGHT = `--paper: #fff; --card: #f5f7f9; --text: #1b1f24; --dim: #545d68; --line: #d5dae0;
  --plain: #2563ad; --loop: #b3261e; --saved: #6b737d; --mark: #fdeceb; --band: #fdeceb;`;
const DARK = `--paper: #14171b; --card: #1d2228; --text: #e6e9ed; --dim: #a6aeb8; --line: #3a414a;
  --plain: #7fb2ee; --loop: #ff8a80; --saved: #9aa3ad; --mark: #3a2122; --band: #3a2122;`;

/** Charts have names of colours; here they get them, for light and for dark. */
const CHART_COLOURS = Object.entries(INK)
  .flatMap(([name, ink]) => [
    `svg [fill="${ink}"] { fill: var(--${name}); }`,
    `svg [stroke="${ink}"] { stroke: var(--${name}); }`,
    `.mark.${name} { color: var(--${name}); }`,
  ])
  .join('\n');

/** The style sheet of a report. */
export const STYLE: string = `
:root { color-scheme: light; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { color-scheme: dark; ${DARK} } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 70rem; background: var(--paper); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.5rem, 1rem + 2.4vw, 2.25rem); line-height: 1.2; margin: .25rem 0 1.5rem; text-wrap: balance; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 3rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--plain); text-underline-offset: .15em; } p { margin: 0 0 .75rem; }
.dim { color: var(--dim); } header > .dim { margin: 0; }
section { scroll-margin-top: 1rem; }
section.conversation { border-top: 1px solid var(--line); margin-top: 4rem; } section.conversation > h2 { margin-top: 2rem; }
section.conversation > .place { margin-top: -.25rem; font-size: .875rem; }
.advice { margin: .75rem 0 0; font-size: .9375rem; max-width: 48rem; } .below { font-size: .8125rem; color: var(--dim); overflow-wrap: anywhere; } .estimate { margin: .75rem 0 0; font-size: .875rem; }
.back { margin: 1.5rem 0 0; font-size: .875rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 1rem; margin: 0; }
.figures > div { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; padding: 1rem 1.25rem; min-width: 0; }
.figures dt, .facts dt { color: var(--dim); } dd { margin: 0; }
.figures strong { display: block; font-size: 2rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.figures small { display: block; font-size: .875rem; color: var(--dim); }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 2.5rem; margin: 0; font-size: .9375rem; }
.facts dt { font-size: .8125rem; } .facts dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.bar { display: block; width: 100%; height: .375rem; margin: .375rem 0; border-radius: .1875rem; overflow: hidden; }
.bar .whole { fill: var(--line); } .bar .part { fill: var(--loop); } .saved .part { fill: var(--plain); }
td .bar { width: min(100%, 9rem); margin-left: auto; }
.reason, .note { border-left: .25rem solid var(--loop); border-radius: .25rem; background: var(--mark); padding: .625rem 1rem; margin: .75rem 0 1rem; }
.note { border-color: var(--saved); background: var(--card); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1.75rem 1.25rem; margin: 1.75rem 0 1.25rem; }
figure { margin: 0; min-width: 0; } figure.across { grid-column: 1 / -1; } figcaption { font-weight: 600; }
.chart svg { display: block; width: 100%; max-width: 30rem; height: auto; overflow: visible; } .wide svg { max-width: none; }
.wide { display: none; } @media (min-width: 56rem) { .wide { display: block; } .narrow { display: none; } }
svg text { font: 12px system-ui, sans-serif; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0 0 .375rem; padding: 0; list-style: none; font-size: .8125rem; color: var(--dim); }
.mark { display: inline-block; width: .625rem; height: .625rem; margin-right: .375rem; background: currentColor; }
.dot { border-radius: 50%; } .diamond { transform: rotate(45deg) scale(.85); }
.ring { border: 1.5px solid; border-radius: 50%; background: none; }
.line, .dots { width: 1.125rem; height: 0; vertical-align: .2em; border-top: 2px solid; background: none; } .dots { border-top-style: dotted; }
${CHART_COLOURS}
.evidence { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.evidence li { background: var(--card); border: 1px solid var(--line); border-left: .25rem solid var(--loop); border-radius: .375rem; padding: .625rem .75rem; min-width: 0; }
.who { display: flex; gap: .5rem; justify-content: space-between; margin-bottom: .25rem; font-size: .8125rem; color: var(--dim); } .who strong { flex: none; color: var(--loop); }
.text { white-space: pre-wrap; max-height: 12rem; overflow: auto; unicode-bidi: isolate; font-size: .875rem; }
.code { font: .8125rem/1.5 ui-monospace, monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .4375rem .75rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: .25rem; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
td { overflow-wrap: anywhere; min-width: 5.5rem; } td:first-child { min-width: 8rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; min-width: 3.5rem; } td.number:first-child { min-width: 3.5rem; } td.long { min-width: 14rem; width: 100%; }
.word { white-space: nowrap; } .small table { width: auto; min-width: min(100%, 24rem); }
tr.loop { background: var(--mark); } tr.after { color: var(--dim); }
details { border-top: 1px solid var(--line); } details + :not(details) { border-top: 1px solid var(--line); padding-top: .75rem; }
summary { cursor: pointer; padding: .5rem .25rem; font-weight: 600; font-size: .9375rem; } summary:hover { background: var(--card); }
:focus-visible { outline: 2px solid var(--plain); outline-offset: 2px; }
@media (max-width: 40rem) {
  body { padding-top: 1rem; } h2 { margin-top: 2rem; } section.conversation { margin-top: 2.5rem; } .figures { gap: .625rem; } .figures > div { padding: .75rem 1rem; }
  th, td { padding-inline: .5rem; } th { white-space: normal; } td .bar, .extra { display: none; }
  .evidence { grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: min(82%, 17rem); overflow-x: auto; scroll-snap-type: x proximity; padding-bottom: .5rem; }
  .evidence li { scroll-snap-align: start; }
}
@page { margin: 14mm; }
@media print {
  * { print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 10pt; } a { color: inherit; text-decoration: none; } .back { display: none; }
  .figures { grid-template-columns: repeat(3, 1fr); } .figures strong { font-size: 15pt; } .figures small, .legend, .who { font-size: 8pt; }
  .figures, tr, li, figure, .reason, .facts { break-inside: avoid; } h1, h2, h3, summary, thead, h2 + .dim { break-after: avoid; }
  section.conversation { break-before: page; border: 0; margin: 0; } section.conversation > h2 { margin-top: 0; }
  .charts { grid-template-columns: repeat(3, 1fr); gap: 5mm; margin: 5mm 0; } svg text { font-size: 15px; } .wide { display: block; } .narrow { display: none; } .wide svg text { font-size: 13px; }
  details::details-content { content-visibility: visible; } summary { list-style: none; } summary::-webkit-details-marker { display: none; }
  .evidence { grid-auto-flow: row; grid-template-columns: repeat(3, 1fr); }
  .scroll, .text { overflow: visible; max-height: none; } table, .text { font-size: 8pt; } .code { font-size: 7.5pt; } th, td { padding: 1mm 1.5mm; } td, td:first-child { min-width: 18mm; } td.number, td.number:first-child, td.word { min-width: 0; }
}
`;
