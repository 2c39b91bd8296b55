import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const GATEWAY = fileURLToPath(new URL('gateway.js', import.meta.url));

/** A gateway, and what came of the calls that it was sent. */
export interface Member {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  answered: number;
  refused: number;
  /** Calls whose connection broke. */
  broken: number;
}

export async function startMember(name: string, ...args: readonly string[]): Promise<Member> {
  const child = fork(GATEWAY, args);
  const [{ port }] = await once(child, 'message');
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  return { name, child, url, answered: 0, refused: 0, broken: 0 };
}

/** Sends calls, one after the other and each about something else, until one is refused; a broken one goes to the next gateway. */
export async function client(name: string, fleet: readonly Member[], first: number): Promise<void> {
  let at = first;
  for (let call = 0; ; call++) {
    const member = fleet[at % fleet.length] as Member;
    const content = `${name}, call ${call}: ${`order ${call * call} is late; `.repeat(5)}`;
    try {
      const { status } = await ask(member.url, [{ role: 'user', content }]);
      if (status === 402) {
        member.refused++;
        return;
      }
      member.answered++;
    } catch {
      member.broken++;
      at++;
    }
  }
}

/** What came of a call. */
export interface Asked {
  readonly status: number;
  /** What the model said, if it was asked. */
  readonly message?: object;
  /** Why it was not. */
  readonly reason?: string;
}

/** Sends a call to a gateway, as part of a conversation if that is named. */
export async function ask(
  url: string,
  messages: readonly object[],
  conversation?: string,
): Promise<Asked> {
  const body = JSON.stringify({ model: 'gpt-4o', max_tokens: 20, messages });
  const named = conversation === undefined ? {} : { 'x-teamfuse-conversation': conversation };
  const headers = { 'content-type': 'application/json', ...named };
  const response = await fetch(url, { method: 'POST', headers, body });
  const { choices, error } = Object(await response.json());
  return { status: response.status, message: choices?.[0].message, reason: error?.message };
}

/** Kills the second gateway and lets the third stand still, each when the model has served that many calls. */
export async function disturb(
  [, second, third]: readonly Member[],
  served: { readonly calls: number },
): Promise<void> {
  while (served.calls < 200) await pause(1);
  second?.child.kill('SIGKILL');
  while (served.calls < 400) await pause(1);
  third?.child.kill('SIGSTOP');
  await pause(1_000);
  third?.child.kill('SIGCONT');
}
