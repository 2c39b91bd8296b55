import { pathOf } from './address.ts';
import { chatCompletions } from './chat-completions.ts';
import { compaction } from './compaction.ts';
import type { WireFormat } from './format.ts';
import { codeAssist, gemini } from './gemini/index.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

export { parametersOf, pathOf } from './address.ts';

/** The formats that are read. */
const FORMATS: readonly WireFormat[] = [
  ...[chatCompletions, responses, compaction, messages, gemini, codeAssist],
];

/** The format that is spoken at an address, whatever stands before its end, and however a server may take its spelling. */
export function formatOf(url: string): WireFormat | undefined {
  const [path = ''] = url.split(/[?#]/);
  return formatAt(path) ?? formatAt(pathOf(path));
}

function formatAt(path: string): WireFormat | undefined {
  return FORMATS.find((format) => format.path.test(path));
}
