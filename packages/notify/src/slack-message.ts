import type { TripData, TripNotification } from './notification.ts';
import { escaped, type PlainText, plainText } from './slack-text.ts';

/** A message as incoming webhooks of Slack take it. */
export interface SlackMessage {
  /** What a notification on a phone shows. It is no plain text, so that it holds nothing a team said. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

type SlackBlock =
  | { readonly type: 'header' | 'section'; readonly text: PlainText }
  | { readonly type: 'section'; readonly fields: readonly PlainText[] }
  | { readonly type: 'context'; readonly elements: readonly PlainText[] };

/** Most fields of a section. */
const MAX_FIELDS = 10;
const MAX_AGENTS = 8;
const HEADER = 'A team was stopped';

/** Tells of a trip as a message of Slack. */
export function slackMessage({ data }: TripNotification): SlackMessage {
  const own = Object.entries(data.attributes).map(([name, value]) => field(name, `${value}`));
  return {
    text: escaped(`${HEADER}: ${data.kind}`),
    blocks: [
      { type: 'header', text: plainText(HEADER) },
      { type: 'section', text: plainText(data.reason) },
      ...sections(fieldsOf(data)),
      ...sections(own),
      { type: 'context', elements: [plainText(data.suggestion)] },
    ],
  };
}

function fieldsOf(data: TripData): readonly PlainText[] {
  const { kind, basis, conversation, agents, purse, spent } = data;
  return [
    field('Kind', kind),
    field('Basis', basis),
    field('Conversation', conversation || 'the main one'),
    ...(agents.length > 0 ? [field('Agents', namesOf(agents))] : []),
    ...(purse === undefined ? [] : [field('Purse', purse)]),
    ...(spent === undefined ? [] : [field('Spent', spentOf(spent))]),
  ];
}

function field(name: string, value: string): PlainText {
  return plainText(`${name}: ${value}`);
}

function sections(fields: readonly PlainText[]): readonly SlackBlock[] {
  const count = Math.ceil(fields.length / MAX_FIELDS);
  return Array.from({ length: count }, (_, n) => ({
    type: 'section',
    fields: fields.slice(n * MAX_FIELDS, (n + 1) * MAX_FIELDS),
  }));
}

function namesOf(agents: readonly string[]): string {
  const shown = agents.slice(0, MAX_AGENTS).join(', ');
  const hidden = agents.length - MAX_AGENTS;
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

/** An unknown price is shown as unknown, never as $0.00. */
function spentOf(spent: NonNullable<TripData['spent']>): string {
  const { usd, tokens, unpricedTokens, isEstimate } = spent;
  const money = usd > 0 || unpricedTokens === 0 ? `$${usd.toFixed(usd < 1 ? 4 : 2)}, ` : '';
  const unknown = unpricedTokens > 0 ? `, ${unpricedTokens} of them of unknown price` : '';
  return `${isEstimate ? 'about ' : ''}${money}${tokens} tokens${unknown}`;
}
