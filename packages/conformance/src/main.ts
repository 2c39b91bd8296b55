import { agentchatSuite } from './agentchat/suite.ts';
import { groupchatSuite } from './groupchat/suite.ts';
import type { Report, Suite } from './harness/suite.ts';

const suites: Readonly<Record<string, Suite>> = {
  agentchat: agentchatSuite,
  groupchat: groupchatSuite,
};

const [name = '', directory = ''] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const isJsonOnly = process.argv.includes('--json');
const suite = suites[name];
if (!suite || directory === '') {
  console.error(`usage: conformance <${Object.keys(suites).join(' | ')}> <directory> [--json]`);
  process.exitCode = 2;
} else {
  const report = await suite.run(directory);
  if (!isJsonOnly) explain(report);
  const { total, passed, deviating, failed, skipped, byFile } = report;
  console.log(JSON.stringify({ total, passed, deviating, failed, skipped, byFile }));
  const isAccepted = total > 0 && failed <= total * suite.allowedFailedShare;
  process.exitCode = isAccepted ? 0 : 1;
}

function explain(report: Report): void {
  for (const { id, outcome, rule, differences } of report.notPassed) {
    console.log(`${outcome} ${id}${rule === null ? '' : ` (${rule})`}`);
    if (outcome === 'failed') for (const difference of differences) console.log(`  ${difference}`);
  }
  for (const [file, totals] of Object.entries(report.byFile)) {
    const { total, passed, deviating, failed, skipped } = totals;
    console.log(
      `${file}: ${passed} of ${total} passed, ${deviating} deviating, ${failed} failed, ${skipped} skipped`,
    );
  }
}
