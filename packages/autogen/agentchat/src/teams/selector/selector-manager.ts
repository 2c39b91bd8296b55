import { repr } from '@teamfuse/python-compat';
import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import { formatTemplate } from '../../base/format-template.ts';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import { type ChatItem, isChatMessage } from '../../messages/chat-item.ts';
import { addToContext } from '../../model-calls/incoming.ts';
import { GroupChatManager, type ManagerSetup, type RunContext } from '../group-chat-manager.ts';
import { selectByModel } from './model-selection.ts';
import type { SelectorParts } from './options.ts';
import { historyText, rolesText } from './prompt.ts';

const stateJson = z.object({ previous_speaker: z.string().nullable().default(null) });

/** Lets functions or a model choose the next speaker. */
export class SelectorManager extends GroupChatManager {
  readonly #parts: SelectorParts;
  #previous: string | null = null;
  /** State of the model's context before the first message of the team. */
  #contextAtStart: JsonObject | undefined;

  constructor(setup: ManagerSetup, parts: SelectorParts) {
    super(setup);
    this.#parts = parts;
  }

  override async record(delta: readonly ChatItem[]): Promise<void> {
    const { modelContext } = this.#parts;
    this.#contextAtStart ??= await modelContext.saveState();
    await super.record(delta);
    await addToContext(modelContext, delta.filter(isChatMessage));
  }

  override async reset(): Promise<void> {
    await super.reset();
    await this.#parts.modelContext.clear();
    this.#contextAtStart = undefined;
    this.#previous = null;
  }

  override async saveState(): Promise<JsonObject> {
    const common = await super.saveState();
    return { type: 'SelectorManagerState', ...common, previous_speaker: this.#previous };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const { modelContext } = this.#parts;
    const { previous_speaker } = validate(stateJson, state, 'SelectorManagerState');
    await super.loadState(state);
    this.#previous = previous_speaker;
    this.#contextAtStart ??= await modelContext.saveState();
    await modelContext.loadState(this.#contextAtStart);
    await addToContext(modelContext, this.thread.filter(isChatMessage));
  }

  protected async selectSpeakers(context: RunContext): Promise<readonly string[]> {
    const chosen = await this.#chosenByFunction();
    if (chosen !== null) return [chosen];
    const candidates = await this.#candidates();
    const [only] = candidates;
    this.#previous =
      candidates.length === 1 && only !== undefined
        ? only
        : await this.#chosenByModel(candidates, context);
    return [this.#previous];
  }

  async #chosenByFunction(): Promise<string | null> {
    const name = (await this.#parts.selectorFunc?.(this.thread)) ?? null;
    if (name === null || this.participantNames.includes(name)) return name;
    throw new ValueError(
      `Selector function returned an invalid speaker name: ${name}. Expected one of: ${repr(this.participantNames)}.`,
    );
  }

  async #candidates(): Promise<readonly string[]> {
    const { candidateFunc, allowRepeatedSpeaker } = this.#parts;
    const names = this.participantNames;
    if (candidateFunc === null) {
      return allowRepeatedSpeaker ? names : names.filter((name) => name !== this.#previous);
    }
    const candidates = await candidateFunc(this.thread);
    if (!candidates || candidates.length === 0) {
      throw new ValueError('Candidate function must return a non-empty list of participant names.');
    }
    if (candidates.every((name) => names.includes(name))) return candidates;
    throw new ValueError(
      `Candidate function returned invalid participant names: ${repr(candidates)}. Expected one of: ${repr(names)}.`,
    );
  }

  async #chosenByModel(candidates: readonly string[], context: RunContext): Promise<string> {
    const parts = this.#parts;
    const prompt = formatTemplate(parts.selectorPrompt, {
      roles: rolesText(this.setup.participants),
      participants: repr(candidates),
      history: historyText(await parts.modelContext.getMessages()),
    });
    const chosen = await selectByModel({
      modelClient: parts.modelClient,
      prompt,
      names: this.participantNames,
      candidates,
      excluded: parts.allowRepeatedSpeaker ? null : this.#previous,
      maxAttempts: parts.maxSelectorAttempts,
      isStreaming: parts.modelClientStreaming,
      emit: this.setup.emitTeamEvents ? context.emit : undefined,
      source: this.setup.name,
      signal: context.signal,
    });
    return chosen ?? this.#previous ?? candidates[0] ?? '';
  }
}
