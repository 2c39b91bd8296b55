import { type StructuredTool, tool } from '@langchain/core/tools';
import { z } from 'zod';
import { type Answer, ScriptedModel } from './scripted-model.ts';

let lastCall = 0;

/** A model that looks at the same place again and again, or says that it is done after so many looks. */
export function looking(looks: number, place: (at: number) => string = () => 'sky'): LookingModel {
  return new LookingModel(looks, place);
}

/** Counts how often it is asked. */
export class LookingModel extends ScriptedModel {
  asked = 0;
  /** The texts of its latest prompt. */
  prompt: readonly string[] = [];

  constructor(looks: number, place: (at: number) => string) {
    super('scripted-model', (texts) => this.#answer(texts, looks, place));
  }

  #answer(texts: readonly string[], looks: number, place: (at: number) => string): Answer {
    this.prompt = texts;
    this.asked++;
    const usage = { inputTokens: 100, outputTokens: 10 };
    if (this.asked > looks) return { text: 'Done.', usage };
    const call = { id: `call-${lastCall++}`, tool: 'look', args: { at: place(this.asked) } };
    return { text: '', calls: [call], usage };
  }
}

/** A tool that tells what there is to see. */
export function lookTool(
  view: (at: string) => string | Promise<string> = () => 'blue',
): StructuredTool {
  const schema = z.object({ at: z.string() });
  return tool(({ at }) => view(at), { name: 'look', description: 'Looks at a place.', schema });
}
