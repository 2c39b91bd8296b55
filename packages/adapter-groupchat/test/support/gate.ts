import type { ReplayChatCompletionClient } from '@teamfuse/models';

/** A promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Makes the first call of a model wait until `answer` is called. */
export function paused(client: ReplayChatCompletionClient): {
  readonly isAsked: Promise<void>;
  readonly answer: () => void;
} {
  const create = client.create.bind(client);
  const [asked, answered] = [gate(), gate()];
  client.create = async (...request) => {
    asked.open();
    await answered.opened;
    return create(...request);
  };
  return { isAsked: asked.opened, answer: answered.open };
}
