import { typeText } from '@teamfuse/python-compat';
import { GroupChatError } from '../errors.ts';

/**
 * Flattens the content of a message to text; a picture becomes `<image>`, nothing becomes `""`.
 *
 * @throws {@link GroupChatError} with code `INVALID_CONTENT` for any other value
 */
export function contentText(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) {
    throw invalid(`content must be None, str, or list, but got ${typeText(content)}`);
  }
  return content.map(partText).join('');
}

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null) {
    throw invalid('Wrong content format: every element should be dict if the content is a list.');
  }
  if (!('type' in part)) {
    throw invalid("Wrong content format. Missing 'type' key in content's dict.");
  }
  if (part.type === 'text' && 'text' in part) return String(part.text);
  if (part.type === 'image_url') return '<image>';
  throw invalid(`Wrong content format: unknown type ${part.type} within the content`);
}

function invalid(message: string): GroupChatError {
  return new GroupChatError('INVALID_CONTENT', message);
}
