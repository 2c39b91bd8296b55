export type {
  ChatModel,
  FunctionModel,
  JudgeModel,
  LanguageModel,
} from './judge-model.ts';
export { type ModelJudgeOptions, modelJudge } from './model-judge.ts';
export { type JudgeMessage, questionMessages } from './question-messages.ts';
