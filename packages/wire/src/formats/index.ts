import { chatCompletions } from './chat-completions.ts';
import type { WireFormat } from './format.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** The formats that are read. */
const FORMATS: readonly WireFormat[] = [chatCompletions, responses, messages];

/** The format that is spoken at an address, whatever stands before its end. */
export function formatOf(url: string): WireFormat | undefined {
  const [path = ''] = url.split(/[?#]/);
  const end = path.replace(/\/+$/, '');
  return FORMATS.find((format) => end.endsWith(format.path));
}
