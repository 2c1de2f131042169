// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { curlOf } from '#app/callRecord.ts';
import { masked } from '#app/mask.ts';
import { once } from '#app/once.ts';

afterEach(() => localStorage.clear());

const problem = (status: number) => ({ code: 'internal', status, title: '', detail: '', type: '' });

/** Sends twice, the first time with this outcome; gives the keys that were sent. */
async function keysOf(first: () => Promise<unknown>, [bodyA, bodyB]: [unknown, unknown] = [{ a: 1 }, { a: 1 }]) {
  const keys: string[] = [];
  const send = vi.fn((key: string) => {
    keys.push(key);
    return keys.length === 1 ? first() : Promise.resolve();
  });
  await once('createBatch', bodyA, send).catch(() => {});
  await once('createBatch', bodyB, send);
  return keys;
}

describe('a write that is sent once', () => {
  it.each([0, 409, 408, 429, 500, 502, 504])('keeps its key after status %i', async (status) => {
    const [first, second] = await keysOf(() => Promise.reject(problem(status))); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    expect(second).toBe(first);
  });

  it.each([400, 401, 404, 413, 422])('drops its key after the definite refusal %i', async (status) => {
    const [first, second] = await keysOf(() => Promise.reject(problem(status))); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    expect(second).not.toBe(first);
  });

  it('drops its key after a success', async () => {
    const [first, second] = await keysOf(() => Promise.resolve());
    expect(second).not.toBe(first);
    expect(localStorage).toHaveLength(0);
  });

  it('has another key for another body', async () => {
    const [first, second] = await keysOf(() => Promise.reject(problem(502)), [{ a: 1 }, { a: 2 }]); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
    expect(second).not.toBe(first);
  });

  it('has stored its key before it is sent', async () => {
    await once('createCompany', {}, (key) => {
      expect(Object.values(localStorage)).toContain(key);
      return Promise.resolve();
    });
  });
});

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
