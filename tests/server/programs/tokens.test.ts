import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { mostProgramTokens, programTokenHeader, programTokenLife } from '#contract/programs.ts';
import { systemClock } from '#server/clock.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, common, integratorAt } from '#tests/support/integrator.ts';
import { guess, problemOf, scripted } from '#tests/support/programs.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';

describe('A program token', () => {
  it('is required whatever cookie is sent, and a request without one gets a 401 problem (threat 6.22)', async () => {
    const { url, upstream } = await scripted({});
    for (const [headers, words] of [
      [{}, /missing or not a token/],
      [{ [programTokenHeader]: 'guess' }, /missing or not a token/],
      [{ cookie: 'session=1', authorization: 'Bearer x' }, /missing or not a token/],
      [guess, /not known here/],
      [{ [programTokenHeader]: [guess[programTokenHeader], guess[programTokenHeader]] }, /missing or not a token/],
    ] as [Record<string, string | string[]>, RegExp][]) {
      const answered = await ask(url, 'GET', '/program/v3/providers', headers);
      expect(problemOf(answered)).toMatchObject({ status: 401, code: 'forbidden' });
      expect(problemOf(answered).detail).toMatch(words);
      expect(answered.headers['content-type']).toContain('application/problem+json');
      expect(Object.keys(answered.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(upstream.asked).toEqual([]);
  });

  it('that is refused, or refused by rate, is answered with the security headers of every answer (threat 6.27)', async () => {
    const { url, program } = await scripted({ '/v3/': answering({}) });
    const own = await ask(url, 'GET', '/healthz', {});
    const names = ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy'] as const;
    const seen = new Set<number>();
    const refusedBy = async (path: string, headers: Record<string, string>, method = 'GET') => {
      const refused = await ask(url, method, path, headers);
      seen.add(refused.status);
      for (const name of names) expect([name, refused.headers[name]]).toEqual([name, own.headers[name]]);
      expect(own.headers[names[0]]).toContain("default-src 'self'");
    };
    const token = { [programTokenHeader]: program.token };
    for (const [path, headers, method] of [
      ['/program/v3/providers', {}, 'GET'],
      ['/program', guess, 'POST'],
      ['/program/elsewhere', token, 'GET'],
      ['/program/v3/%2e%2e', token, 'GET'],
      ['/program/v3/providers', token, 'OPTIONS'],
      ['/program/v3/providers', { ...token, host: 'evil.example' }, 'GET'],
    ] as [string, Record<string, string>, string][])
      await refusedBy(path, headers, method);
    for (let times = 0; times < 40; times += 1) await refusedBy('/program/v3/providers', guess);
    expect([...seen].sort()).toEqual([400, 401, 403, 404, 405, 429]);
    const passed = await program.called('GET', '/v3/providers');
    expect(passed.headers['content-security-policy']).toMatch(/^sandbox;/);
    expect(passed.headers['x-frame-options']).toBeUndefined();
  });

  it('cannot be guessed: guesses are limited by rate, without affecting programs (threat 6.22)', async () => {
    const { url, program } = await scripted({ '/v3/': answering({}) });
    const statuses = new Set<number>();
    for (let times = 0; times < 60; times += 1)
      statuses.add((await ask(url, 'GET', '/program/v3/providers', guess)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
  });

  it('is shown until its user confirms it or it is used, then stored as a hash only (threat 6.23)', async () => {
    const { program, store } = await scripted({ '/v3/': answering({}) });
    const { api } = program;
    const { token, made } = (await api.done('makeProgramToken', { body: { name: 'Other' } })).data;
    const shown = async () => (await api.done('getPrograms')).data.tokens.map((each) => each.token);
    // The token is returned again, because the first response may have been lost.
    for (let turn = 0; turn < 2; turn += 1) expect(await shown()).toEqual([token, program.token]);
    await api.done('confirmProgramToken', { params: { tokenId: made.tokenId } });
    expect(await shown()).toEqual([undefined, program.token]);
    await program.called('GET', '/v3/providers');
    expect(await shown()).toEqual([undefined, undefined]);
    const kept = JSON.stringify([await store.programs.list(), await api.done('getTimeline')]);
    for (const each of [token, program.token]) expect(kept).not.toContain(each.slice(made.beginning.length));
    await api.done('confirmProgramToken', { params: { tokenId: made.tokenId } });
    expect(await api.refused('confirmProgramToken', { params: { tokenId: 'other' } })).toMatchObject({
      code: 'not-found',
    });
  });

  it('is refused after it was revoked or has expired (behaviour 7.15; threat 6.24)', async () => {
    let passed = 0;
    const clock = { ...systemClock, now: () => Date.now() + passed };
    const { url, program } = await scripted({ '/v3/': answering({}) }, { clock });
    const other = await integratorAt(url);
    expect((await other.called('GET', '/v3/providers')).status).toBe(200);
    await other.api.done('revokeProgramToken', { params: { tokenId: other.made.tokenId } });
    expect(problemOf(await other.called('GET', '/v3/providers'))).toMatchObject({
      status: 401,
      detail: expect.stringContaining('revoked') as string,
    });
    expect(await other.api.refused('revokeProgramToken', { params: { tokenId: other.made.tokenId } })).toMatchObject({
      code: 'not-found',
    });
    passed = programTokenLife;
    const late = problemOf(await program.called('GET', '/v3/providers'));
    expect([late.status, late.detail]).toEqual([401, expect.stringContaining('has expired') as string]);
    expect((await program.api.done('getPrograms')).data.tokens.map(({ expired }) => expired)).toEqual([true]);
  });

  it('stays revoked if it is revoked during a request (threat 6.24)', async () => {
    let receive = (_: ServerResponse): void => undefined;
    const received = new Promise<ServerResponse>((resolve) => void (receive = resolve));
    const { program } = await scripted({ '/v3/slow': (response) => receive(response) });
    const calling = program.called('GET', '/v3/slow');
    const response = await received;
    await program.api.done('revokeProgramToken', { params: { tokenId: program.made.tokenId } });
    response.end('{}');
    expect((await calling).status).toBe(200);
    expect((await program.called('GET', '/v3/slow')).status).toBe(401);
    expect((await program.api.done('getPrograms')).data.tokens).toEqual([]);
  });

  it('is one of at most ten, each with a valid name (behaviour 7.15; threat 6.24)', async () => {
    const { program } = await scripted({});
    const make = (name: string) => program.api.call('makeProgramToken', { body: { name } });
    const all = await Promise.all(Array.from({ length: mostProgramTokens + 3 }, (_, index) => make(`P${index}`)));
    expect(all.filter(({ ok }) => ok)).toHaveLength(mostProgramTokens - 1);
    expect(all.find(({ ok }) => !ok)).toMatchObject({
      status: 403,
      problem: { detail: expect.stringContaining('revoke one') as string },
    });
    for (const name of ['', '  ', 'x'.repeat(61), 'a\u0000b']) expect((await make(name)).status).toBe(400);
  });

  it('belongs to one user: others neither see its requests nor can revoke it (threat 6.24)', async () => {
    const upstream = await fakeUpstream({ '/v3/': answering({}) });
    const shared = await sharedUse({ upstreamUrl: () => Promise.resolve(upstream.url) });
    const [ada, bob] = [await shared.signedIn('ada'), await shared.signedIn('bob')];
    const program = await integratorAt(shared.url, ada);
    const { status, entry } = await program.called('GET', '/v3/providers', common);
    expect([status, (await entry()).name]).toEqual([200, 'My program']);
    expect((await bob.done('getTimeline', { query: { kind: 'program' } })).data).toEqual([]);
    expect((await bob.done('getPrograms')).data.tokens).toEqual([]);
    expect(await bob.refused('revokeProgramToken', { params: { tokenId: program.made.tokenId } })).toMatchObject({
      status: 404,
    });
    expect((await ask(shared.url, 'GET', '/api/programs', { [programTokenHeader]: program.token })).status).toBe(401);
  });
});
