import type { ChatMessage, TerminationTest } from '@teamfuse/groupchat';
import { raised } from '../script/raised-error.ts';
import type { Tally } from '../script/recorder.ts';
import { messageText } from '../script/rows.ts';
import type { TerminationSpec } from '../vector.ts';

/** The termination test a vector describes; each call is counted. */
export function terminationTest(
  spec: TerminationSpec,
  agent: string,
  checks: Tally,
): TerminationTest {
  return (message) => holds(spec, message, checks.add(agent));
}

function holds(spec: TerminationSpec, message: ChatMessage, calls: number): boolean {
  const said = messageText(message);
  const { text = '' } = spec;
  switch (spec.kind) {
    case 'contains':
      return said.includes(text);
    case 'contains_ci':
      return said.toLowerCase().includes(text.toLowerCase());
    case 'equals':
      return said === text;
    case 'ends_with':
      return said.trimEnd().endsWith(text);
    case 'starts_with':
      return said.startsWith(text);
    case 'never':
      return false;
    case 'always':
      return true;
    case 'name_is':
      return message.name === spec.name;
    case 'has_key':
      return isTruthy(Reflect.get(message, spec.key ?? ''));
    case 'nth':
      return calls >= (spec.n ?? 0);
    case 'raise':
      throw raised(spec.raise ?? {});
    case 'find_raw':
      return (message.content as string).indexOf(text) >= 0;
    default:
      throw new TypeError(`unknown termination test ${spec.kind}`);
  }
}

// Truth as Python has it: an empty list or object is false.
function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
