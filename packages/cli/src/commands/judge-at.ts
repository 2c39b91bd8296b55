import type { Command, OptionValues } from '@commander-js/extra-typings';
import { InvalidOptionError } from '@teamfuse/core';
import { AskedJudge } from '../replay/asked-judge.ts';

/** Which judge is asked. */
export type JudgeOptions = {
  judge?: string | undefined;
  judgeModel: string;
};

/** Adds the options that {@link judgeAt} reads. */
export function withJudgeOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
): Command<Args, Options & JudgeOptions> {
  return command
    .option(
      '--judge <url>',
      'ask a model at this OpenAI-compatible endpoint; the key is in OPENAI_API_KEY',
    )
    .option('--judge-model <name>', 'the model to ask', 'gpt-4o-mini') as unknown as Command<
    Args,
    Options & JudgeOptions
  >;
}

/**
 * A judge that asks a model at an OpenAI-compatible endpoint; `undefined` if none was asked for.
 * @throws {@link InvalidOptionError} without an address or a key.
 */
export async function judgeAt({
  judge: url,
  judgeModel: model,
}: JudgeOptions): Promise<AskedJudge | undefined> {
  if (url === undefined) return undefined;
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new InvalidOptionError(
      '--judge',
      'the address of an endpoint, such as https://api.openai.com/v1',
      url,
    );
  }
  const { username, password, search, hash } = new URL(url);
  if (username + password + search + hash !== '') {
    const expected = 'an address without a user, a password, a query and a fragment';
    const sentence = `option '--judge': expected ${expected}`;
    throw new InvalidOptionError('--judge', expected, undefined, sentence);
  }
  if (!process.env.OPENAI_API_KEY) {
    const sentence =
      '--judge needs a key: set OPENAI_API_KEY, to any text if the server needs none';
    throw new InvalidOptionError('--judge', 'a key in OPENAI_API_KEY', url, sentence);
  }
  const [{ modelJudge }, { OpenAIChatCompletionClient }] = await Promise.all([
    import('@teamfuse/judge'),
    import('@teamfuse/models'),
  ]);
  const ask = modelJudge(new OpenAIChatCompletionClient({ model, baseURL: url }));
  return new AskedJudge(ask, `the judge ${model} at ${url}`);
}
