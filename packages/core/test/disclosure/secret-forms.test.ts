import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/index.ts';
import { redactJson } from '../../src/kit.ts';
import { leakedIn, SECRET_FORMS } from '../support/secret-forms.ts';
import { testTold } from './told.ts';

describe('forms of secrets', () => {
  it('[RED12] are a hundred and one', () => {
    expect(SECRET_FORMS).toHaveLength(101);
    expect(
      SECRET_FORMS.filter(([, text, secret]) => !text.includes(secret) && !JSON.parse(text)),
    ).toEqual([]);
  });

  it.each(SECRET_FORMS)('[RED12] %s is found', (name, text, secret) => {
    for (const whole of [
      text,
      `It is ${text}`,
      `Log: ${text} (see above)`,
      `${text}\nNext line.`,
    ]) {
      const once = redactSecrets(whole);
      expect(once).not.toContain(secret);
      expect(redactSecrets(once)).toBe(once);
      expect(leakedIn(redactSecrets(JSON.stringify({ whole })), [[name, text, secret]])).toEqual(
        [],
      );
      const inner = JSON.stringify(
        redactJson({ whole, deep: [{ whole: JSON.stringify({ whole }) }] }),
      );
      expect(leakedIn(inner, [[name, text, secret]])).toEqual([]);
    }
  });

  testTold(10);
});
