import { stringify, textOf } from './content.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from './values.ts';

const TYPES = new Set([
  'TextMessage',
  'MultiModalMessage',
  'StopMessage',
  'HandoffMessage',
  'ToolCallSummaryMessage',
  'ToolCallRequestEvent',
  'ToolCallExecutionEvent',
  'CodeGenerationEvent',
  'CodeExecutionEvent',
  'UserInputRequestedEvent',
  'MemoryQueryEvent',
  'ModelClientStreamingChunkEvent',
  'SelectSpeakerEvent',
  'SelectorEvent',
  'ThoughtEvent',
]);
const STRUCTURED = 'StructuredMessage';

/** Whether this is a message or an event of AutoGen 0.4. */
export function isItem(value: unknown): boolean {
  const { type, source } = fieldsOf(value) ?? {};
  if (typeof type !== 'string' || typeof source !== 'string') return false;
  return TYPES.has(type) || type.startsWith(STRUCTURED);
}

/** Writes down messages and events of AutoGen 0.4 in the order in which a team told them. */
export class ItemTeller {
  readonly #transcript: Transcript;
  #isTask = true;
  /** Who has just been told what a call gave, and would only say it again. */
  #resultsOf: string | undefined;
  #askingPerson: string | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  tell(item: Fields): void {
    const agent = String(item.source);
    const transcript = this.#transcript;
    transcript.next(item.created_at);
    const usage = fieldsOf(item.models_usage);
    if (usage !== undefined) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
      const model = nameIn(fieldsOf(item.metadata)?.model);
      transcript.used(agent, { model, inputTokens, outputTokens });
    }
    this.#happened(item, agent);
  }

  #happened(item: Fields, agent: string): void {
    const transcript = this.#transcript;
    switch (item.type) {
      case 'ToolCallRequestEvent':
        for (const call of recordsOf(item.content)) {
          transcript.called(nameIn(call.id) ?? '', agent, nameIn(call.name) ?? '', call.arguments);
        }
        return;
      case 'ToolCallExecutionEvent':
        this.#returned(recordsOf(item.content), agent);
        return;
      case 'ToolCallSummaryMessage':
        if (this.#resultsOf !== agent) transcript.said(agent, textOf(item.content));
        return;
      case 'CodeGenerationEvent': {
        const blocks = recordsOf(item.code_blocks);
        const code = blocks.map((block) => textOf(block.code)).join('\n');
        if (blocks.length > 0) transcript.showsCode(nameIn(blocks[0]?.language) ?? '', code);
        return;
      }
      case 'CodeExecutionEvent': {
        const { exit_code: exitCode, output } = fieldsOf(item.result) ?? {};
        const code = Number.isSafeInteger(exitCode) ? (exitCode as number) : null;
        transcript.ran(agent, code !== null && code < 0 ? null : code, textOf(output));
        return;
      }
      case 'SelectSpeakerEvent':
        for (const chosen of [item.content].flat()) {
          if (typeof chosen === 'string') transcript.selected(agent, chosen);
        }
        return;
      case 'UserInputRequestedEvent':
        this.#askingPerson = agent;
        return;
      case 'MemoryQueryEvent':
      case 'ModelClientStreamingChunkEvent':
      case 'SelectorEvent':
      case 'ThoughtEvent':
        return;
      default:
        this.#said(item, agent);
    }
  }

  #said(item: Fields, agent: string): void {
    const content = item.content;
    const text = fieldsOf(content) ? stringify(content) : textOf(content);
    const isTask = this.#isTask && agent === 'user';
    this.#isTask = false;
    this.#resultsOf = undefined;
    if (isTask || this.#askingPerson === agent) {
      this.#askingPerson = undefined;
      this.#transcript.asked(agent, text, isTask);
    } else if (item.type === 'HandoffMessage') {
      this.#transcript.handedOff(agent, nameIn(item.target) ?? '', text);
    } else {
      this.#transcript.said(agent, text);
    }
  }

  #returned(results: readonly Fields[], agent: string): void {
    this.#resultsOf = agent;
    for (const { call_id: id, content, name, is_error: flag } of results) {
      const tool = nameIn(name) ?? 'unknown';
      this.#transcript.returned(nameIn(id) ?? '', content, { isError: flag === true, agent, tool });
    }
  }
}
