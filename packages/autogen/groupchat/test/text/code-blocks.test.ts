import type { CodeBlock } from '@teamfuse/code-executors';
import { describe, expect, test } from 'vitest';
import { fencedBlocks, inferLanguage } from '../../src/text/code-blocks.ts';

describe('fences', () => {
  test.each<[string, CodeBlock[]]>([
    ['```python\nx\n```', [{ language: 'python', code: 'x' }]],
    ['```  sh  \r\nls\r\n  ```', [{ language: 'sh', code: 'ls' }]],
    ['```\nx\n```', [{ language: '', code: 'x' }]],
    ['```x```', []],
    ['```a b\nx\n```', []],
    ['```python\n\n```', [{ language: 'python', code: '' }]],
  ])('[CODE1] %j', (text, expected) => {
    expect(fencedBlocks(text)).toEqual(expected);
  });

  test.each([
    ['pip install x', 'sh'],
    ['python main.py', 'sh'],
    ['print("any words here")', 'python'],
    ['# any words here\nif x is not None:\n    import os as o', 'python'],
    ['this is not code at all', 'unknown'],
    ['int main() {\n}', 'unknown'],
    ['$ ls', 'unknown'],
  ])('[CODE1] %j looks like %s', (code, language) => {
    expect(inferLanguage(code)).toBe(language);
  });
});
