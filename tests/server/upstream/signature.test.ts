import { describe, it, expect } from 'vitest';
import { baseString } from '#contract/requests/baseString.ts';
import { sign } from '#server/upstream/signature.ts';

/** Base strings written out by hand from wire, section 2.2; signatures by `openssl dgst -sha1 -hmac`. */
const vectors = [
  {
    name: 'covers a body as its Base64, encoded twice',
    signed: {
      method: 'POST',
      url: 'https://Api-Money.example/auth-v1/organisations',
      body: '{"name":"Ada"}',
      nonce: 'a1b2 c3!',
    },
    base: 'POST&https%3A%2F%2Fapi-money.example%2Fauth-v1%2Forganisations&body%3DeyJuYW1lIjoiQWRhIn0%253D&a1b2%20c3%21',
    key: 'application-key',
    signature: 'KloNNg76Jb28cuR0S4d3VUqdVjE=',
  },
  {
    name: 'keeps three ampersands when there is neither query nor body',
    signed: { method: 'get', url: 'https://api-money.example:8443/auth-v1/accessToken', nonce: 'nonce-2' },
    base: 'GET&https%3A%2F%2Fapi-money.example%3A8443%2Fauth-v1%2Faccesstoken&&nonce-2',
    key: 'organisation-key',
    signature: '/LhaNWBNUMsZsLTIWX6eUMbyWYY=',
  },
  {
    name: "sorts query and body by name and encodes ! ' ( ) *",
    signed: {
      method: 'PUT',
      url: 'https://api-money.example/auth-v1/things',
      query: new URLSearchParams([
        ['z', '1'],
        ['a', "it's (1)"],
      ]),
      body: '{}',
      nonce: 'nonce-3',
    },
    base: 'PUT&https%3A%2F%2Fapi-money.example%2Fauth-v1%2Fthings&a%3Dit%2527s%2520%25281%2529%26body%3De30%253D%26z%3D1&nonce-3',
    key: 'organisation-key',
    signature: '6844/uOzpkBUFNNV9mjqGUItnq8=',
  },
];

describe('X-Signature', () => {
  it.each(vectors)('$name', ({ signed, base, key, signature }) => {
    expect(baseString(signed)).toBe(base);
    expect(sign({ ...signed, key })).toBe(signature);
  });

  it('changes with the key, the nonce and a single byte of the body (wire 2.2.3)', () => {
    const signed = { method: 'POST', url: 'https://host.example/a', body: '{"a":1}', nonce: 'n', key: 'k' };
    const signatures = [signed, { ...signed, key: 'l' }, { ...signed, nonce: 'o' }, { ...signed, body: '{"a":2}' }];
    expect(new Set(signatures.map(sign)).size).toBe(4);
  });
});
