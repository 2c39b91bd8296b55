import { fieldsOf, nameIn } from '../fields.ts';
import { isReadable } from '../json-size.ts';

/** Who sends a request, and in which session. */
export interface UserId {
  readonly user: string | undefined;
  readonly session: string | undefined;
}

/** As Claude Code wrote it before it wrote JSON. */
const OF_CLAUDE_CODE = /^user_([0-9a-f]+)_account_([\w-]*)_session_([\w-]+)$/;

/**
 * Takes apart what `metadata.user_id` says. Claude Code names its session there beside the account and the device, which would
 * make each session another user.
 */
export function readUserId(given: unknown): UserId {
  const text = nameIn(given);
  const old = OF_CLAUDE_CODE.exec(text ?? '');
  if (old !== null) return { user: nameIn(old[2], old[1]), session: nameIn(old[3]) };
  const { account_uuid, device_id, session_id } = fieldsOf(jsonIn(text));
  const session = nameIn(session_id);
  if (session === undefined) return { user: text, session };
  return { user: nameIn(account_uuid, device_id), session };
}

/** The session that a key of a prompt cache names: opencode sends its own there. Other keys are shared by many conversations. */
export function sessionIn(cacheKey: unknown): string | undefined {
  const key = nameIn(cacheKey);
  return key?.startsWith('ses_') ? key : undefined;
}

function jsonIn(text: string | undefined): unknown {
  if (!text?.startsWith('{') || !isReadable(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
