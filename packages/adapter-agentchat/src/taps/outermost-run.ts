import { type ChatItem, isTaskResult, type RunOptions, type TaskResult } from '@teamfuse/agentchat';
import type { Run, Scope } from '../guard/scope.ts';
import type { Watch } from '../guard/watch.ts';
import type { Conversation, Runner } from './conversation.ts';

/** The work of the outermost team. */
export class OutermostRun implements Conversation {
  readonly scope: Scope;
  readonly #watch: Watch;
  readonly #run: Run = { trip: undefined, isRefused: false };

  constructor(watch: Watch, runner: Runner, { task }: RunOptions) {
    this.#watch = watch;
    this.scope = { run: this.#run, runner, depth: 0, path: [runner.name] };
    watch.runBegins(this.#run);
    watch.observer.task(task);
  }

  hear(item: ChatItem | TaskResult): void {
    if (isTaskResult(item)) this.end();
    else this.#watch.within(this.scope, () => this.#watch.items([item]));
  }

  end(): void {
    this.#watch.runEnds(this.#run);
  }
}
