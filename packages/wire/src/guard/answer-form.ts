import { type Fields, fieldsOf } from '../fields.ts';

/** Choices of tools that leave it to the model. */
const FREE: readonly unknown[] = [undefined, null, 'auto', 'none'];

/** Whether a request asks for JSON or for the call of a tool, so that prose is no answer to it. */
export function asksForForm(body: Fields): boolean {
  const { response_format, text, output_format, output_config, tool_choice, function_call } = body;
  const formats = [
    response_format,
    fieldsOf(text).format,
    output_format,
    fieldsOf(output_config).format,
  ];
  return formats.some(isJson) || isForced(tool_choice) || isForced(function_call);
}

function isJson(format: unknown): boolean {
  return String(fieldsOf(format).type ?? '').startsWith('json');
}

function isForced(choice: unknown): boolean {
  if (FREE.includes(choice)) return false;
  const { type, mode } = fieldsOf(choice);
  return type === 'allowed_tools' ? mode === 'required' : type !== 'auto' && type !== 'none';
}
