import { describe, expect, it } from 'vitest';
import { call, judge, pay, read, run, token, verdict } from './madeEvidence.ts';

const refused = { status: 401, isDone: false };

describe('the check of signatures', () => {
  it('fails for a call that the service refused for its signature, with the reason', () => {
    const wrong = {
      ...refused,
      response: { headers: {}, body: '{"detail":"Header x-signature: the signature does not match the request"}' },
      mistakes: ['The query was signed'],
    };
    expect(judge('request-signature', { calls: [token(1, 0, '', wrong)] })).toEqual({
      verdict: 'failed',
      seen: [{ says: 'The query was signed', calls: [1] }],
    });
  });

  it('passes for a signed call that a fault of the lab refused with 401', () => {
    const calls = [token(1, 0, '', { ...refused, fault: 'expiredToken' })];
    expect(verdict('request-signature', { calls })).toBe('passed');
  });

  it('is not exercised without a signed call', () => {
    expect(verdict('request-signature', { calls: [call(1, 0)] })).toBe('not exercised');
  });
});

describe('the check of nonces', () => {
  it('fails for a nonce that comes twice, also in two runs', () => {
    const calls = [token(1, 0, 'a'), token(2, 500, 'a', { headers: { 'x-nonce': 'nonce-1', 'x-signature': 's' } })];
    const found = judge('request-nonce', { calls, runs: [run(0, 100), run(200, 900)] });
    expect(found).toMatchObject({ verdict: 'failed', seen: [{ calls: [1, 2] }] });
  });

  it('passes for different nonces', () => {
    expect(verdict('request-nonce', { calls: [token(1, 0, 'a'), token(2, 500, 'b')] })).toBe('passed');
  });
});

describe('the check of reused tokens', () => {
  const used = [pay(8, 800, 'k1'), read(9, 2000)];

  it('fails for a second token of the same company within a run', () => {
    const calls = [token(1, 0, 'a'), token(2, 1500, 'b'), pay(8, 1800, 'k1'), read(9, 3000)];
    expect(judge('request-token-reused', { calls })).toMatchObject({ verdict: 'failed', seen: [{ calls: [1, 2] }] });
  });

  it('fails for a second token that follows a call with the first one, however soon', () => {
    const calls = [token(1, 0, 'token-number-1'), pay(2, 50, 'k1'), token(3, 80, 'b'), ...used];
    expect(judge('request-token-reused', { calls })).toMatchObject({ verdict: 'failed', seen: [{ calls: [1, 3] }] });
  });

  it.each([
    [
      'a token of the organisation and one of the company',
      token(2, 500, 'b', { headers: { 'x-organisation-id': 'o' } }),
      undefined,
    ],
    ['a token after a 401', token(3, 500, 'b'), pay(2, 300, 'k1', refused)],
    ['a second token in another run', token(2, 6000, 'b'), undefined],
    ['two calls for a token at the same time', token(2, 10, 'b'), undefined],
    [
      'a call for a token by another part of the program, which could not know of the first',
      token(2, 500, 'b'),
      undefined,
    ],
    ['a repeated call for a token whose response was lost', token(2, 500, 'b'), undefined],
  ])('passes for %s', (name, second, between) => {
    const first = token(1, 0, 'a', name.includes('lost') ? { status: 0 } : {});
    const calls = [first, ...(between ? [between] : []), second, ...used];
    expect(verdict('request-token-reused', { calls, runs: [run(0, 5000), run(5500, 9000)] })).toBe('passed');
  });

  it.each([
    ['passed', 'a token that came too late for a program, which never used it', 'late'],
    ['failed', 'a token that the program had used', 'token-number-1'],
  ])('is %s by another token after the time-out of %s', (expected, _, first) => {
    const calls = [token(1, 0, first), token(2, 6000, 'token-number-1'), pay(3, 7000, 'k1'), read(4, 9000)];
    expect(verdict('request-token-reused', { calls })).toBe(expected);
  });

  it('is not exercised for instances that run at the same time', () => {
    const calls = [token(1, 0, 'a'), token(2, 500, 'b'), ...used];
    expect(verdict('request-token-reused', { calls, runs: [run(), run()] })).toBe('not exercised');
  });
});

describe('the check of renewed tokens', () => {
  const first = pay(1, 100, 'k1', refused);

  it('passes where a new token follows a 401, even if the two tokens are equal', () => {
    const calls = [first, token(2, 200, 'token-number-1'), pay(3, 400, 'k1')];
    expect(verdict('request-token-renewed', { calls })).toBe('passed');
  });

  it('passes where a call under way at the same time was refused as well', () => {
    const calls = [first, read(2, 105, refused), token(3, 300, 'b'), pay(4, 400, 'k1')];
    expect(verdict('request-token-renewed', { calls })).toBe('passed');
  });

  it('passes where another part of the program has used the token before it could know', () => {
    const calls = [first, pay(2, 700, 'k2', { ids: ['C'] }), token(3, 800, 'b'), pay(4, 900, 'k1')];
    expect(verdict('request-token-renewed', { calls })).toBe('passed');
    const late = [first, pay(2, 1700, 'k2', { ids: ['C'] }), token(3, 1800, 'b'), pay(4, 1900, 'k1')];
    expect(verdict('request-token-renewed', { calls: late })).toBe('failed');
  });

  it('fails where the refused call is repeated with the token at once', () => {
    const calls = [first, pay(2, 130, 'k1'), token(3, 800, 'b'), pay(4, 900, 'k1')];
    expect(verdict('request-token-renewed', { calls })).toBe('failed');
  });

  it('fails where the refused token is used again', () => {
    expect(judge('request-token-renewed', { calls: [first, pay(2, 900, 'k1')] })).toMatchObject({
      verdict: 'failed',
      seen: [{ calls: [1, 2] }],
    });
  });

  it('fails where the program gives up, and not while it still runs', () => {
    expect(verdict('request-token-renewed', { calls: [first] })).toBe('failed');
    expect(verdict('request-token-renewed', { calls: [first], runs: [] })).toBe('not exercised');
    expect(verdict('request-token-renewed', { calls: [first], runs: [run(0, 500, { ended: 'killed' })] })).toBe(
      'not exercised',
    );
  });
});

describe('the check of secrets in addresses', () => {
  it.each([
    ['the API key', call(1, 0, { query: 'key=sandbox-secret%2B1' })],
    ['the token in use', read(1, 0, { query: 'access_token=token-number-1' })],
    ['a token that was issued', call(2, 50, { path: '/v3/providers/issued-token' })],
  ])('fails for %s', (_, wrong) => {
    const calls = [token(1, 0, 'issued-token'), wrong];
    expect(verdict('request-secret-in-address', { calls, secrets: ['sandbox-secret+1'] })).toBe('failed');
  });

  it('passes for the link to a payment file as it was issued', () => {
    const calls = [token(1, 0, 'issued-token'), call(2, 50, { path: '/files/b', query: 'token=of-the-file' })];
    expect(verdict('request-secret-in-address', { calls })).toBe('passed');
  });
});

describe('the check of members', () => {
  it('fails for a member that the service does not know, and not for other mistakes', () => {
    const unknown = pay(1, 0, 'k1', { mistakes: ['Unknown field data.amount: this call has none, it is ignored'] });
    expect(verdict('request-members', { calls: [unknown] })).toBe('failed');
    expect(verdict('request-members', { calls: [pay(1, 0, 'k1', { mistakes: ['data.debtor: unknown'] })] })).toBe(
      'passed',
    );
    expect(verdict('request-members', { calls: [call(1, 0)] })).toBe('not exercised');
  });
});

describe('the check of what a program prints', () => {
  const calls = [token(1, 0, 'token-number-1')];
  const secrets = ['whsec_abc/def+123', 'key-number-1'];

  it.each([
    ['a key', 'paid\n env: key-number-1', 'env: [key]'],
    ['a token', '> Authorization: Bearer token-number-1', '> Authorization: Bearer [token]'],
    ['a secret of webhooks without its prefix', 'secret abc/def+123', 'secret [key]'],
    ['a secret as JSON escapes it', String.raw`{"secret":"abc\/def+123"}`, '{"secret":"[key]"}'],
    ['a secret as an address has it', 'GET /?k=abc%2Fdef%2B123', 'GET /?k=[key]'],
    ['two in a line', 'key-number-1, token-number-1', '[key], [token]'],
  ])('fails for %s, and shows its line without it', (_, text, shown) => {
    expect(judge('request-secret-in-output', { calls, secrets, outputs: ['', text] })).toEqual({
      verdict: 'failed',
      seen: [{ says: `Run 2 has printed a key or a token: “${shown}”`, calls: [] }],
    });
  });

  it('passes for a program that prints none, and is not exercised where nobody hears it', () => {
    expect(verdict('request-secret-in-output', { calls, secrets, outputs: ['paid, key key-…'] })).toBe('passed');
    expect(verdict('request-secret-in-output', { calls, secrets })).toBe('not exercised');
  });
});
