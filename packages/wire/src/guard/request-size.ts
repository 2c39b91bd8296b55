import { estimateTokens } from '@teamfuse/core/detectors';
import { countIn, type Fields, fieldsOf, nameIn, recordsOf } from '../fields.ts';

/** Fields of a request that a model reads beside the history: the tools that it has, and the form of its answer. */
const READ_BESIDE = ['tools', 'functions', 'response_format', 'text', 'output_config'];
/** What a picture takes at most with the large providers, and one of low detail. */
const PICTURE_TOKENS = 1_600;
const LOW_DETAIL_TOKENS = 85;
/** Characters of a document's data for a token: a page of it has about 50 kB and 3,000 tokens. */
const DATA_PER_TOKEN = 16;
const MAX_DEPTH = 4;
const PICTURE = /image|screenshot|audio|video/;
const DOCUMENT = /file|document/;
/** More answers are not to be had at once. */
const MAX_ANSWERS = 1_000;

/** The estimated tokens of what a request holds beside the texts of its history. */
export function tokensBeside(body: Fields): number {
  let tokens = 0;
  for (const field of READ_BESIDE) {
    const given = body[field];
    if (typeof given === 'object' && given !== null)
      tokens += estimateTokens(JSON.stringify(given));
  }
  for (const history of [body.messages, body.input]) tokens += partsIn(history, 0);
  return tokens;
}

/** How many answers a request asks for. */
export function answersIn({ n }: Fields): number {
  return Math.min(Math.max(1, countIn(n) ?? 1), MAX_ANSWERS);
}

function partsIn(parts: unknown, depth: number): number {
  if (depth > MAX_DEPTH) return 0;
  return recordsOf(parts).reduce((sum, part) => {
    const { type, content, output } = part;
    const kind = nameIn(type) ?? '';
    if (PICTURE.test(kind)) return sum + pictureTokens(part);
    if (DOCUMENT.test(kind)) return sum + documentTokens(part);
    return sum + partsIn(content, depth + 1) + partsIn(output, depth + 1);
  }, 0);
}

function pictureTokens({ detail, image_url }: Fields): number {
  const asked = detail ?? fieldsOf(image_url).detail;
  return asked === 'low' ? LOW_DETAIL_TOKENS : PICTURE_TOKENS;
}

function documentTokens({ file, source, file_data }: Fields): number {
  const { data, type } = fieldsOf(source);
  if (type === 'text') return estimateTokens(nameIn(data) ?? '');
  const { length } = nameIn(file_data, fieldsOf(file).file_data, data) ?? '';
  return Math.max(PICTURE_TOKENS, Math.ceil(length / DATA_PER_TOKEN));
}
