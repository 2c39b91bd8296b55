import type { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { agent, model, tool } from './scripted.ts';

/** Whom a router sends what. */
export interface Choice {
  readonly id: string;
  readonly type: 'agent' | 'tool';
  readonly prompt: string;
}

/** A network of an agent and a tool, and what was done in it. */
export interface Network {
  readonly agent: Agent;
  readonly asked: { router: number; inner: number; used: number };
}

interface NetworkSetting {
  /** After so many the task is complete. */
  readonly results?: number;
  /** Further options of the agent. */
  readonly options?: object;
  /** What the inner agent answers to what it is asked for the n-th time. */
  readonly says?: (text: string | undefined, n: number) => string;
  /** Comes before the inner agent begins. */
  readonly begins?: () => void;
}

/** A router that chooses in this way, by how often it has chosen and what it is asked, until it finds its task complete after so many results. */
export function network(
  choose: (at: number, asked: string) => Choice,
  {
    results = 50,
    options = {},
    says = (text) => `About ${text}`,
    begins = () => {},
  }: NetworkSetting = {},
): Network {
  const asked = { router: 0, inner: 0, used: 0 };
  let chosen = 0;
  const router = model('v3', 'router', ({ texts }) => {
    asked.router++;
    if (texts.at(-1)?.includes('"isComplete"')) {
      const isComplete = chosen >= results;
      const reason = isComplete ? 'All is said.' : 'Not yet.';
      return answer({
        isComplete,
        completionReason: reason,
        finalResult: isComplete ? 'Done.' : '',
      });
    }
    const { id, type, prompt } = choose(chosen++, texts.join('\n'));
    return answer({ primitiveId: id, primitiveType: type, prompt, selectionReason: 'It fits.' });
  });
  const said = model('v3', 'inner', ({ texts }) => {
    asked.inner++;
    return { text: says(texts.at(-1), asked.inner) };
  });
  const look = tool('look', async ({ at }) => {
    asked.used++;
    return `a bird over ${at}`;
  });
  const defaultOptions = (): object => {
    begins();
    return {};
  };
  const inner = agent('inner', said, {}, { description: 'Tells of things.', defaultOptions });
  const more = { agents: { inner }, memory: new MockMemory(), ...options };
  return { agent: agent('outer', router, { look }, more) as unknown as Agent, asked };
}

function answer(content: object): { readonly text: string } {
  return { text: JSON.stringify(content) };
}

/** That a network looks at this place with a tool of its own. */
export function lookAt(at: number | string): Choice {
  return { id: 'look', type: 'tool', prompt: JSON.stringify({ at: `${at}` }) };
}

/** The types of a stream's chunks. */
export async function typesOf(
  stream: AsyncIterable<{ readonly type: string }>,
): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  return types;
}
