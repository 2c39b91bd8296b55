import { chatCompletions } from './chat-completions.ts';
import type { WireFormat } from './format.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

/** The formats that are read. */
const FORMATS: readonly WireFormat[] = [chatCompletions, responses, messages];

/** The format that is spoken at an address, whatever stands before its end, and however a server may take its spelling. */
export function formatOf(url: string): WireFormat | undefined {
  const [path = ''] = url.split(/[?#]/);
  return formatAt(path) ?? formatAt(plain(path));
}

function formatAt(path: string): WireFormat | undefined {
  return FORMATS.find((format) => path.endsWith(format.path));
}

const CODED = /%([0-9a-f]{2})/gi;
/** A proxy and a server may both decode what they get. */
const DECODERS = 2;

/** A path without escapes, parameters, empty and dotted segments, and in lower case, as one server or another reads it. */
function plain(path: string): string {
  let decoded = path;
  for (let i = 0; i < DECODERS; i++) {
    decoded = decoded.replace(CODED, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  const segments: string[] = [];
  for (const segment of decoded.toLowerCase().split(/[/\\]/)) {
    const name = segment.replace(/;.*/s, '').trim();
    if (name === '..') segments.pop();
    else if (name !== '' && name !== '.') segments.push(name);
  }
  return `/${segments.join('/')}`;
}
