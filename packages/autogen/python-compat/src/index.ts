export { formatTemplate, type TemplateFault } from './format-template.ts';
export { JsonTextError, parseJson, spacedJson } from './json.ts';
export { countMentions } from './mentions.ts';
export { isRefusal, refusalReason } from './refusal.ts';
export { recordRepr, repr, str } from './repr.ts';
export { shown } from './shown.ts';
export { typeName, typeText } from './type-text.ts';
export {
  type OptionAdvice,
  type OptionNames,
  type UnknownOption,
  unknownOption,
} from './unknown-option.ts';
