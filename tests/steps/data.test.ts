// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { curlOf } from '#app/callRecord.ts';
import { masked } from '#app/mask.ts';

describe('the record of calls', () => {
  it('masks secrets by name, tokens anywhere and the value of a secret setting', () => {
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
    expect(masked({ token: 'plain', note: `with ${token}` })).toEqual({
      token: secretIsSet,
      note: `with ${secretIsSet}`,
    });
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
  ])('masks API keys and signing keys by name, however they are written: %j', (written) => {
    const shown = JSON.stringify(masked(written));
    expect(shown).toContain(secretIsSet);
    expect(shown).not.toMatch(/890/);
  });

  it('leaves sentences about keys and tokens as they are', () => {
    const sentence = 'The token: not taken. Give an API key, 1 to 200 characters; token=expired.';
    expect(masked(sentence)).toBe(sentence);
  });

  it('gives cURL that a shell reads as meant, with $TOKEN for what was masked', () => {
    const entry = { id: 1, method: 'POST', path: '/api/x', status: 200, duration: 1, response: {} };
    const curl = curlOf(
      { ...entry, idempotencyKey: 'k', request: { token: secretIsSet, name: "O'Hara" } },
      'http://page.test',
    );
    expect(curl).toContain(`curl -X POST 'http://page.test/api/x'`);
    expect(curl).toContain(`-H 'Idempotency-Key: k'`);
    expect(curl).toContain(String.raw`-d '{"token":"'"$TOKEN"'","name":"O'\''Hara"}'`);
  });
});
