import type { Agent } from '@mastra/core/agent';
import { type Answer, agent, model, tool } from './scripted.ts';

let lastCall = 0;

/** What a model is asked for, one answer after the other. */
type Script = () => Answer;

/** A model that wants to look at the same place again and again, or says that it is done after so many looks. */
export function looking(
  looks: number,
  place: (at: number) => string = () => 'sky',
  { tool: name = 'look', field = 'at' }: { tool?: string; field?: string } = {},
): Script {
  let asked = 0;
  return () =>
    asked++ < looks
      ? {
          text: '',
          calls: [{ id: `call-${lastCall++}`, tool: name, args: { [field]: place(asked) } }],
        }
      : { text: 'Done.' };
}

/** A model whose first calls of its tool are cut off by the limit of its answers, and which then makes a shorter one. */
export function cutOff(times: number): Script {
  let asked = 0;
  const short = looking(1);
  return () =>
    asked++ < times
      ? {
          text: '',
          calls: [{ id: `call-${lastCall++}`, tool: 'look', args: '{"at":"the sky over ' }],
        }
      : short();
}

/** An agent that looks at places. */
export interface Watcher {
  readonly agent: Agent;
  /** How often its model was asked. */
  readonly asked: () => number;
}

export function watcher(
  script: Script,
  seen: (at: string) => string = () => 'blue',
  agents: Record<string, Agent> = {},
  defaultOptions: object = {},
  inputProcessors: readonly object[] = [],
): Watcher {
  let asked = 0;
  const own = model('v3', 'scripted', () => {
    asked++;
    return script();
  });
  const look = tool('look', async ({ at = '' }) => seen(at));
  const more = { agents, defaultOptions, inputProcessors, description: 'Looks at places.' };
  return { agent: agent('watcher', own, { look }, more) as unknown as Agent, asked: () => asked };
}

/** One agent for all, whose model loops for every other number that it is given, and else looks at five places. */
export function everybody(): Pick<Watcher, 'agent'> {
  const own = model('v3', 'scripted', ({ texts }) => {
    const said = texts.join(' ');
    const run = Number(/Look, (\d+)\./.exec(said)?.[1]);
    const looks = said.split('seen').length - 1;
    if (run % 2 === 1 && looks === 5) return { text: 'Done.' };
    const at = run % 2 === 0 ? `${run}` : `${run} ${looks}`;
    return { text: '', calls: [{ id: `call-${lastCall++}`, tool: 'look', args: { at } }] };
  });
  const look = tool('look', async ({ at = '' }) => `seen ${at}`);
  return { agent: agent('everybody', own, { look }) as unknown as Agent };
}
