import {
  AssertionError,
  BaseChatAgent,
  type BaseChatMessage,
  type CancelOptions,
  type ChatItem,
  type ChatItemClass,
  type JsonObject,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';
import { givenItem, givenMessage, messageClass } from '../messages/given-message.ts';
import { VectorError } from '../messages/raised-error.ts';
import type { ScriptedSpec, TurnSpec } from '../vector.ts';
import { tookEffect } from './effects.ts';
import type { World } from './world.ts';

/** An agent that follows the script of a vector. */
export class ScriptedAgent extends BaseChatAgent {
  readonly producedMessageTypes: readonly ChatItemClass[];
  readonly #spec: ScriptedSpec;
  readonly #path: string;
  readonly #world: World;
  #cursor = 0;
  #last: string | null = null;

  constructor(spec: ScriptedSpec, path: string, world: World) {
    super(spec.name, spec.description ?? 'scripted agent');
    this.producedMessageTypes = (spec.produced ?? ['TextMessage']).map(messageClass);
    this.#spec = spec;
    this.#path = path;
    this.#world = world;
  }

  /** Never asked by a team: teams follow the stream. */
  async onMessages(): Promise<Response> {
    throw new Error('a scripted agent answers in its stream');
  }

  override async *onMessagesStream(
    messages: readonly BaseChatMessage[],
    { signal }: CancelOptions = {},
  ): AsyncGenerator<ChatItem | Response, void> {
    this.#note('turn', {
      received: messages.map((item) => `${item.type}|${item.source}|${item.toText()}`),
    });
    const turn = this.#next();
    for (const effect of turn.effects ?? []) {
      await tookEffect(effect, { path: this.#path, world: this.#world, signal });
    }
    const inner = turn.inner?.map((item) => givenItem(item, this.name));
    yield* turn.yields?.map((item) => givenItem(item, this.name)) ?? inner ?? [];
    if (turn.error) throw new VectorError(turn.error);
    if (turn.no_response) return;
    yield { chatMessage: this.#reply(turn, messages), innerMessages: inner ?? null };
  }

  async onReset(): Promise<void> {
    this.#note('reset');
    if (this.#spec.on_reset !== 'keep') this.#cursor = 0;
    this.#last = null;
  }

  override async onPause(): Promise<void> {
    this.#note('pause');
  }

  override async onResume(): Promise<void> {
    this.#note('resume');
  }

  override async saveState(): Promise<JsonObject> {
    const [cursor, last] = [this.#cursor, this.#last];
    return { type: 'ScriptedAgentState', version: '1.0.0', cursor, last };
  }

  override async loadState({ cursor, last }: JsonObject): Promise<void> {
    this.#cursor = Number(cursor);
    this.#last = last as string | null;
  }

  #next(): TurnSpec {
    const { script, after } = this.#spec;
    const length = script.length;
    const at = after === 'loop' ? this.#cursor % length : Math.min(this.#cursor, length - 1);
    this.#cursor += 1;
    return script[at] as TurnSpec;
  }

  #reply({ reply, echo }: TurnSpec, messages: readonly BaseChatMessage[]): BaseChatMessage {
    if (!echo) return givenMessage(reply as NonNullable<typeof reply>, this.name);
    this.#last = messages[0]?.toModelText() ?? this.#last;
    if (this.#last === null) throw new AssertionError();
    return new TextMessage({ content: this.#last, source: this.name });
  }

  #note(event: string, details: JsonObject = {}): void {
    this.#world.noteAgent({ agent: this.#path, event, ...details });
  }
}
