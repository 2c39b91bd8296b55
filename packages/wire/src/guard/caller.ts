import { atOnce } from '@teamfuse/core/kit';
import type { WireRequest } from '../formats/format.ts';
import type { Caller } from '../identity/threads.ts';
import { CallerMistake } from './caller-mistake.ts';
import type { CheckedOptions } from './check-options.ts';

/** Headers by which a caller names the agent, the conversation and its user. They are not sent on. */
const AGENT_HEADER = 'x-teamfuse-agent';
const CONVERSATION_HEADER = 'x-teamfuse-conversation';
const USER_HEADER = 'x-teamfuse-user';
export const NAMING_HEADERS: readonly string[] = [AGENT_HEADER, CONVERSATION_HEADER, USER_HEADER];

/** Headers in which coding agents name their session: Claude Code, Codex since 2026 and before, and opencode. */
const SESSION_HEADERS: readonly string[] = [
  ...['x-claude-code-session-id', 'session-id', 'session_id', 'conversation_id'],
  'x-opencode-session',
];
/** Headers in which they tell the agents of a session apart: Claude Code for those it starts, Codex for all. */
const LINE_HEADERS: readonly string[] = ['x-claude-code-agent-id', 'thread-id', 'thread_id'];

/** Of a longer name, less would be left for whose it is. */
const MAX_NAME = 900;

/** Who sends a request: as the headers say, else the options, else the session of a coding agent. `scope` is whose traffic it is. */
export function callerOf(
  request: WireRequest,
  headers: Headers,
  scope: string,
  { agent, conversation }: Pick<CheckedOptions, 'agent' | 'conversation'>,
): Caller {
  const nameFrom = (given: typeof agent): string | undefined =>
    typeof given === 'function' ? atOnce('agent and conversation', given(request)) : given;
  const named = nameIn(headers, CONVERSATION_HEADER) ?? nameFrom(conversation);
  return {
    scope,
    agent: nameIn(headers, AGENT_HEADER) ?? nameFrom(agent),
    conversation: named ?? firstOf(headers, SESSION_HEADERS) ?? request.session,
    line: firstOf(headers, LINE_HEADERS),
  };
}

/** The user that a header names, else the request. */
export function userOf(request: WireRequest, headers: Headers): string | undefined {
  return nameIn(headers, USER_HEADER) ?? request.user;
}

/** The name that a header gives, if any. @throws CallerMistake for one that is too long. */
function nameIn(headers: Headers, header: string): string | undefined {
  const name = headers.get(header) ?? '';
  if (name.length <= MAX_NAME) return name || undefined;
  throw new CallerMistake(
    `the header ${header} has ${name.length} characters, more than ${MAX_NAME}`,
  );
}

/** What the first of the headers says that says anything usable. */
function firstOf(headers: Headers, names: readonly string[]): string | undefined {
  const given = names.map((name) => headers.get(name)?.trim() ?? '');
  return given.find((value) => value !== '' && value.length <= MAX_NAME);
}
