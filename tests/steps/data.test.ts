import { describe, expect, it } from 'vitest';
import { parseAsWritten, stringify } from '#contract/json.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { masked } from '#app/client/mask.ts';

describe('what a page shows of an answer', () => {
  it('masks secrets by name, tokens anywhere and the value of a secret setting (threat 2.1)', () => {
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
    expect(masked({ token: 'plain', note: `with ${token}` })).toEqual({
      token: secretIsSet,
      note: `with ${secretIsSet}`,
    });
    const written = parseAsWritten('{"2":{"key":"userJwt","value":"x"},"1":"","apiKey":"y","apiKey":"z"}');
    const secret = JSON.stringify(secretIsSet);
    expect(stringify(masked(written))).toBe(
      `{"2":{"key":"userJwt","value":${secret}},"1":"","apiKey":${secret},"apiKey":${secret}}`,
    );
    expect(masked([{ key: 'userJwt', value: 'x' }])).toEqual([{ key: 'userJwt', value: secretIsSet }]);
    expect(masked({ key: 'providerCountry', value: 'GB' })).toEqual({ key: 'providerCountry', value: 'GB' });
    expect(masked({ companySigningKey: '' })).toEqual({ companySigningKey: '' });
  });

  it.each([
    { apiKey: 'k/ey+1234567890abcdef' },
    { 'x-api-key': 'k/ey+1234567890abcdef' },
    { X_API_KEY: 'k/ey+1234567890abcdef' },
    { primarySigningKey: 'k/ey+1234567890abcdef' },
    { access_token: 'k/ey+1234567890abcdef' },
    'x-api-key: k/ey+1234567890abcdef',
    '?api_key=k%2Fey%2B1234567890abcdef&more=1',
    '{"signingKey":"k/ey+1234567890abcdef"}',
    '{\\"primarySigningKey\\" : \\"k\\/ey\\u002B1234567890abcdef\\"}',
  ])('masks API keys and signing keys by name, however they are written: %j (threat 3.5)', (written) => {
    const shown = JSON.stringify(masked(written));
    expect(shown).toContain(secretIsSet);
    expect(shown).not.toMatch(/890/);
  });

  it('leaves sentences about keys and tokens as they are', () => {
    const sentence = 'The token: not taken. Give an API key, 1 to 200 characters.';
    expect(masked(sentence)).toBe(sentence);
    expect(masked(`${sentence} token=k3yOfAda`)).toBe(`${sentence} token=${secretIsSet}`);
  });
});
