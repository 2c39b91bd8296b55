import { invalidValue } from '../errors.ts';
import type { ModelAccess } from './model-access.ts';
import type { UsageSummary } from './usage-summary.ts';

/** Which usage is shown: of calls that reached the model, of all calls, or both. */
export type UsageMode = 'actual' | 'total' | 'both' | readonly ('actual' | 'total')[];

/** The usage of an agent's model, as text for the console. */
export function usageText(
  name: string,
  client: ModelAccess | null,
  mode: UsageMode = 'both',
): string {
  if (!client) return `No cost incurred from agent '${name}'.`;
  const { actualUsageSummary: actual, totalUsageSummary: total } = client;
  const head = `Agent '${name}':`;
  if (!total) return `${head}\nNo usage summary. Please call "create" first.`;
  return [head, rule, ...sections(readMode(mode), actual, total), rule].join('\n');
}

const rule: string = '-'.repeat(100);

function sections(
  mode: 'actual' | 'total' | 'both',
  actual: UsageSummary | null,
  total: UsageSummary,
): string[] {
  if (mode === 'total') return [summaryText('including', total)];
  const spent = actual
    ? summaryText('excluding', actual)
    : 'No actual cost incurred (all completions are using cache).';
  if (mode === 'actual') return [spent];
  if (isSame(actual, total)) {
    return [
      spent,
      '',
      'All completions are non-cached: the total cost with cached completions is the same as actual cost.',
    ];
  }
  return [spent, '', summaryText('including', total)];
}

function readMode(mode: UsageMode): 'actual' | 'total' | 'both' {
  if (mode === 'actual' || mode === 'total' || mode === 'both') return mode;
  const isList = Array.isArray(mode) && mode.length >= 1 && mode.length <= 2;
  if (isList && mode.includes('actual') && mode.includes('total')) return 'both';
  if (isList && mode.includes('actual')) return 'actual';
  if (isList && mode.includes('total')) return 'total';
  throw invalidValue(
    `Invalid mode: ${String(mode)}, choose from "actual", "total", ["actual", "total"]`,
  );
}

function summaryText(word: 'including' | 'excluding', { totalCost, models }: UsageSummary): string {
  const lines = Object.entries(models).map(
    ([model, { cost, promptTokens, completionTokens, totalTokens }]) =>
      `* Model '${model}': cost: ${costText(cost)}, prompt_tokens: ${promptTokens}, completion_tokens: ${completionTokens}, total_tokens: ${totalTokens}`,
  );
  const head = `Usage summary ${word} cached usage: \nTotal cost: ${costText(totalCost)}`;
  return [head, ...lines].join('\n');
}

// Dollars rounded to five places, in the notation Python prints numbers in.
function costText(cost: number | null): string {
  if (cost === null) return 'unknown';
  const rounded = Math.round(cost * 1e5) / 1e5;
  if (Number.isInteger(rounded)) return `${rounded}.0`;
  if (Math.abs(rounded) >= 1e-4) return String(rounded);
  return rounded.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

function isSame(actual: UsageSummary | null, total: UsageSummary): boolean {
  return JSON.stringify(actual) === JSON.stringify(total);
}
