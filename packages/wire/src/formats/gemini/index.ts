import { type Fields, fieldsOf, nameIn } from '../../fields.ts';
import { modelAt } from '../address.ts';
import type { WireFormat } from '../format.ts';
import { answer, error, piecesOf, readAnswer } from './answer.ts';
import { ChunkReader } from './chunk-reader.ts';
import { either } from './names.ts';
import * as request from './request.ts';

/** Google's Gemini API, and that of Vertex AI. */
export const gemini: WireFormat = {
  id: 'gemini',
  path: /\/(?:models|tunedmodels|endpoints)\/[^/]+:(?:stream)?generatecontent$/i,
  keyHeader: 'x-goog-api-key',
  keyParameter: 'key',
  readRequest: (body, url) => request.readRequest(body, url, modelAt(url)),
  isInPieces: true,
  beside: request.beside,
  historyAt: () => ['contents'],
  limitAt: request.limitAt,
  isForModel: request.isForModel,
  userSays: request.userSays,
  readAnswer,
  question: ({ system, user }) => request.question(system, user),
  questionUrl: request.questionUrl,
  streamReader: () => new ChunkReader(),
  piecesOf,
  error,
  errorEvent: (problem) => ({ data: error(problem) }),
  answer,
  answerEvents: (refusal) => [{ data: answer(refusal) }],
};

/** The API of Gemini Code Assist, which the Gemini CLI speaks for people who are logged in: the same in an envelope. */
export const codeAssist: WireFormat = {
  ...gemini,
  id: 'code-assist',
  path: /\/v\d\w*:(?:stream)?generatecontent$/i,
  keyHeader: 'authorization',
  keyParameter: undefined,
  readRequest(body, url) {
    const inner = fieldsOf(body.request);
    const read = request.readRequest(inner, url, nameIn(body.model));
    const session = nameIn(either(inner, 'sessionId'));
    return read && { ...read, session, project: nameIn(body.project) };
  },
  beside: (body) => request.beside(fieldsOf(body.request)),
  historyAt: () => ['request', 'contents'],
  limitAt: (body) => ['request', ...request.limitAt(fieldsOf(body.request))],
  readAnswer: (body) => readAnswer(fieldsOf(body.response)),
  question: ({ model, system, user, project }) => ({
    model,
    project,
    request: request.question(system, user),
  }),
  questionUrl: (url) => request.questionUrl(url, undefined),
  streamReader() {
    const reader = new ChunkReader();
    return {
      add: ({ response }: Fields) => reader.add(fieldsOf(response)),
      get answer() {
        return reader.answer;
      },
    };
  },
  piecesOf: ({ response }) => piecesOf(fieldsOf(response)),
  answer: (refusal) => ({ response: answer(refusal) }),
  answerEvents: (refusal) => [{ data: { response: answer(refusal) } }],
};
