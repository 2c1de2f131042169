import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mostProgramTokens, programTokenHeader, programTokenLife } from '#contract/programs.ts';
import { bounds } from '#server/json.ts';
import { systemClock } from '#server/clock.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { apiAt } from '#tests/support/api.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { eventually } from '#tests/support/guided.ts';
import { ask, common, integratorAt, organisation } from '#tests/support/integrator.ts';
import { listening } from '#tests/support/listen.ts';
import { sharedUse } from '#tests/support/signedIn.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';

const held = { [programTokenHeader]: `pocp_${'x'.repeat(43)}` };
const problemOf = ({ answer, status }: { answer: string; status: number }) => ({
  ...(JSON.parse(answer) as { detail: string; code: string; type: string }), // the console's problem
  status,
});

/** A console at a scripted service, and a program that calls through it. */
async function scripted(scripts: Record<string, Script>, more: Partial<Parameters<typeof testConsole>[0]> = {}) {
  const upstream = await fakeUpstream(scripts);
  const opened = await testConsole({ upstreamUrl: upstream.url, ...more });
  return { ...opened, upstream, program: await integratorAt(opened.url) };
}

/** Sends raw bytes and returns all that is answered. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(bytes);
  const ended = text(socket).catch(() => '');
  return Promise.race([ended, wait(3000).then(() => 'nothing')]);
}

describe('the token of a program', () => {
  it('is needed, whatever cookie there is, and refused in words without one', async () => {
    const { url, upstream } = await scripted({});
    for (const [headers, words] of [
      [{}, /missing or no token/],
      [{ [programTokenHeader]: 'guess' }, /missing or no token/],
      [{ cookie: 'session=1', authorization: 'Bearer x' }, /missing or no token/],
      [held, /not known here/],
      [{ [programTokenHeader]: [held[programTokenHeader], held[programTokenHeader]] }, /missing or no token/],
    ] as [Record<string, string | string[]>, RegExp][]) {
      const answered = await ask(url, 'GET', '/program/v3/providers', headers);
      expect(problemOf(answered)).toMatchObject({ status: 401, code: 'forbidden' });
      expect(problemOf(answered).detail).toMatch(words);
      expect(answered.headers['content-type']).toContain('application/problem+json');
      expect(Object.keys(answered.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(upstream.asked).toEqual([]);
  });

  it('is not found by guessing, and guesses keep no program out', async () => {
    const { url, program } = await scripted({ '/v3/': answering({}) });
    const statuses = new Set<number>();
    for (let guess = 0; guess < 60; guess += 1)
      statuses.add((await ask(url, 'GET', '/program/v3/providers', held)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
  });

  it('is told once, and stored as a hash only', async () => {
    const { program, store, api } = await scripted({ '/v3/': answering({}) }).then((all) => ({
      ...all,
      api: all.program.api,
    }));
    const list = (await api.done('getPrograms')).data;
    expect(list).toMatchObject({ recorded: true, tokens: [{ name: 'My program', usedAt: '', expired: false }] });
    await program.called('GET', '/v3/providers');
    const [used] = (await api.done('getPrograms')).data.tokens;
    expect(Date.parse(used!.usedAt)).toBeGreaterThan(Date.now() - 60_000);
    const secret = program.token.slice(program.made.beginning.length);
    expect(JSON.stringify([list, used, await store.programs.list()])).not.toContain(secret);
    const [entry] = (await api.done('getTimeline', { query: { text: '/api/programs' } })).data;
    expect(entry).toMatchObject({ name: 'makeProgramToken' });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it('is refused once it is revoked, or has expired', async () => {
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

  it('comes not back when it is revoked during a call', async () => {
    let answer = (): void => undefined;
    const { program } = await scripted({ '/v3/slow': (response) => void (answer = () => response.end('{}')) });
    const calling = program.called('GET', '/v3/slow');
    await eventually(() => Promise.resolve(expect(answer()).toBeUndefined()));
    await program.api.done('revokeProgramToken', { params: { tokenId: program.made.tokenId } });
    await wait(20);
    answer();
    expect((await calling).status).toBe(200);
    expect((await program.called('GET', '/v3/slow')).status).toBe(401);
    expect((await program.api.done('getPrograms')).data.tokens).toEqual([]);
  });

  it('is one of ten at most, each with a name', async () => {
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

  it('is that of one user: other users neither see its calls nor revoke it', async () => {
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

describe('a call of a program', () => {
  it.each([
    '/program',
    '/program/',
    '/program/sandbox/clock',
    '/program/idp/authorize',
    '/program/v3',
    '/program/v3/../sandbox/clock',
    '/program/v3/%2e%2e/sandbox/clock',
    '/program/v3/.%2E/sandbox/clock',
    '/program/v3/%252e%252e/sandbox/clock',
    '/program/v3/..;/sandbox/clock',
    '/program/v3/..%2fsandbox',
    '/program/v3/..%5csandbox',
    '/program/v3//sandbox',
    '/program//v3/providers',
    '/program/v3/a%00b',
    '/program/v3/%zz',
    '/program/v3/a#/b',
    '/program/v3/provid\\..\\x',
    '/program@evil.example/v3/',
    '/program/http://evil.example/v3/',
    '/program/%68ttp:%2f%2fevil.example/v3/',
    '/program/V3/providers',
  ])('reaches nothing but paths of the protocol: %s', async (path) => {
    const { program, url, upstream } = await scripted({ '/': answering({}) });
    const { status } = await ask(url, 'GET', path, { [programTokenHeader]: program.token });
    expect([400, 404]).toContain(status);
    expect(upstream.asked).toEqual([]);
  });

  it('reaches no other host, whatever its request line or Host says', async () => {
    let reached = 0;
    const evil = await listening((_request, response) => void response.end(String((reached += 1))));
    const { program, url, upstream } = await scripted({ '/v3/': answering({}) });
    const token = `${programTokenHeader}: ${program.token}\r\n`;
    const host = `Host: ${new URL(url).host}\r\n`;
    const lines = [
      `GET ${evil}/program/v3/providers HTTP/1.1\r\n${host}`,
      `GET ${url}/program/v3/providers HTTP/1.1\r\n${host}`,
      `CONNECT ${new URL(evil).host} HTTP/1.1\r\n${host}`,
      `GET /program/v3/providers HTTP/1.1\r\nHost: ${new URL(evil).host.replace('127.0.0.1', 'evil.example')}\r\n`,
      `OPTIONS * HTTP/1.1\r\n${host}`,
      `OPTIONS /program/v3/providers HTTP/1.1\r\n${host}Origin: http://evil.example\r\nAccess-Control-Request-Headers: x-console-token\r\n`,
      `TRACE /program/v3/providers HTTP/1.1\r\n${host}`,
    ];
    for (const line of lines) {
      const answer = await raw(url, `${line}${token}Connection: close\r\n\r\n`);
      expect(answer, line).toMatch(/^$|^HTTP\/1.1 4/);
      expect(answer.toLowerCase()).not.toContain('access-control-allow');
    }
    expect([reached, upstream.asked]).toEqual([0, []]);
    const { status } = await program.called('GET', '/v3/providers', { 'x-forwarded-host': 'evil.example' });
    expect([status, upstream.asked[0]?.headers.host]).toEqual([200, new URL(upstream.url).host]);
  });

  it('is passed on as it came: without what belongs to the connection, the console’s cookies and its token', async () => {
    const { program, upstream } = await scripted({ '/v3/': answering({}) });
    await program.called(
      'POST',
      '/v3/batchpayments?a=1&a=%20&b=',
      {
        ...common,
        connection: 'x-hop, close',
        ...{ 'x-hop': '1', te: 'trailers', 'keep-alive': 'timeout=1', 'proxy-authorization': 'Basic eA==' },
        ...{ cookie: 'session=1', 'x-multiple': ['a', 'b'], 'x-console-call': 'forged', authorization: 'Basic eA==' },
      },
      '{"a": 1.10}',
    );
    const [{ path, body, headers }] = upstream.asked as [(typeof upstream.asked)[number]]; // one call was made
    expect([path, body]).toEqual(['/v3/batchpayments?a=1&a=%20&b=', '{"a": 1.10}']);
    expect(headers).toMatchObject({
      ...common,
      'x-multiple': 'a, b',
      authorization: 'Basic eA==',
      'content-length': '11',
    });
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'cookie', 'x-console-call', programTokenHeader])
      expect(headers).not.toHaveProperty(name);
    expect(JSON.stringify(upstream.asked)).not.toContain(program.token);
  });

  it('carries nothing of the console’s own credentials', async () => {
    const { program, upstream } = await scripted({ '/': answering({}) });
    for (const path of ['/v3/providers', endpoints.accessToken, '/api-msg-v1/status', '/network-v1/accounts'])
      await program.called('GET', path);
    const all = JSON.stringify(upstream.asked);
    expect(upstream.asked).toHaveLength(4);
    for (const each of [credentials.apiKey, credentials.signingKey, credentials.applicationId, header.signature])
      expect(all).not.toContain(each);
  });

  it('smuggles no second call', async () => {
    const { program, url, upstream } = await scripted({ '/v3/': answering({}) });
    const head = `POST /program/v3/batchpayments HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${programTokenHeader}: ${program.token}\r\n`;
    const second = 'GET /v3/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const framing of [
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
      `Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
      `Transfer-Encoding: xchunked\r\n\r\n${second}`,
      `X-A: b\r\n Content-Length: ${second.length}\r\n\r\n${second}`,
    ])
      await raw(url, `${head}Connection: close\r\n${framing}`);
    expect(upstream.asked.filter(({ path }) => path.includes('smuggled'))).toEqual([]);
  });

  it('is refused if its body is larger than the service takes, declared or not', async () => {
    const { program, upstream, url } = await scripted({ '/v3/': answering({}) });
    const large = Buffer.alloc(bounds.batch.bytes + 1, 'x');
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const { status, entry } = await program.called('POST', '/v3/batchpayments', headers, large);
      expect([status, (await entry()).wrong?.join()]).toEqual([413, expect.stringContaining('larger than') as string]);
    }
    expect((await ask(url, 'POST', '/program/v3/batchpayments', held, large)).status).toBe(401);
    expect(upstream.asked).toEqual([]);
    expect((await program.called('POST', '/v3/batchpayments', {}, large.subarray(1))).status).toBe(200);
  });

  it('hears in words that the service does not answer, is slow or cannot be understood, and so does the timeline', async () => {
    const limits = { patience: { headers: 100, total: 200 }, bytes: 5000 };
    const { program } = await scripted(
      {
        '/v3/silent': () => undefined,
        '/v3/reset': (response) => void response.destroy(),
        '/v3/cut': (response) =>
          void response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy()),
        '/v3/endless': (response) => void response.end('x'.repeat(6000)),
        '/v3/noise': (response) => void response.socket?.end('noise\r\n\r\n'),
      },
      { limits },
    );
    for (const [path, status, code] of [
      ['/v3/silent', 504, 'upstream-timeout'],
      ['/v3/reset', 502, 'upstream-unreachable'],
      ['/v3/noise', 502, 'upstream-invalid'],
    ] as const) {
      const answered = await program.called('GET', path);
      expect(problemOf(answered)).toMatchObject({ status, code });
      expect(await answered.entry()).toMatchObject({ status: 0, reason: problemOf(answered).detail });
    }
    const lost = await program.called('POST', '/v3/silent', {}, '{}');
    expect(problemOf(lost)).toMatchObject({ status: 504, outcome: 'unknown' });
    // What had begun breaks off for the program as it did for the console.
    for (const path of ['/v3/cut', '/v3/endless']) await expect(program.called('GET', path)).rejects.toThrow();
    const { data } = await eventually(async () => {
      const found = await program.api.done('getTimeline', { query: { kind: 'program', text: 'cut' } });
      expect(found.data.length).toBeGreaterThan(0);
      return found;
    });
    expect(data[0]?.status).toBe(200);
  });

  it('ends at the service when the program hangs up, and its place is free again', async () => {
    let gone = 0;
    const { program, url, upstream } = await scripted({
      '/v3/silent': (response) => void response.on('close', () => (gone += 1)),
      '/v3/providers': answering({}),
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `GET /program/v3/silent HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${programTokenHeader}: ${program.token}\r\n\r\n`,
    );
    await eventually(() => Promise.resolve(expect(upstream.asked).toHaveLength(1)));
    socket.destroy();
    await eventually(() => Promise.resolve(expect(gone).toBe(1)));
    const { data } = await eventually(async () => {
      const found = await program.api.done('getTimeline', { query: { kind: 'program', text: 'silent' } });
      expect(found.data).toHaveLength(1);
      return found;
    });
    expect(data[0]).toMatchObject({ status: 0, reason: 'The program hung up before the answer was complete.' });
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
  });

  it('is one of some at the same time', async () => {
    const waiting: (() => void)[] = [];
    const { program } = await scripted({ '/v3/': (response) => void waiting.push(() => response.end('{}')) });
    const calls = Array.from({ length: 16 }, () => program.called('GET', '/v3/providers'));
    await eventually(() => Promise.resolve(expect(waiting).toHaveLength(16)));
    expect(problemOf(await program.called('GET', '/v3/providers'))).toMatchObject({ status: 429 });
    waiting.forEach((answer) => answer());
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('leaves no trace of its token in logs', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const { program } = await scripted({ '/v3/reset': (response) => void response.destroy() }, { log });
    await program.called('GET', `/v3/reset?token=${program.token}`);
    await program.called('GET', `/v3/..?token=${program.token}`);
    expect(lines.join('')).toContain('/program/*');
    expect(lines.join('')).not.toContain(program.token.slice(program.made.beginning.length));
  });
});

describe('the answer to a program', () => {
  it('sets nothing for the console’s own origin', async () => {
    const { program } = await scripted({
      '/v3/': (response) =>
        void response
          .writeHead(200, {
            ...{ 'set-cookie': 'session=x', 'clear-site-data': '"*"', 'access-control-allow-origin': '*' },
            ...{
              'content-type': 'text/html',
              'x-own': 'kept',
              etag: '"1"',
              'retry-after': '3',
              connection: 'x-gone, close',
              'x-gone': '1',
            },
          })
          .end('<script>1</script>'),
    });
    const { headers, answer } = await program.called('GET', '/v3/providers');
    expect(answer).toBe('<script>1</script>');
    expect(headers).toMatchObject({
      'x-own': 'kept',
      etag: '"1"',
      'retry-after': '3',
      'content-type': 'text/html',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toContain('sandbox');
    for (const name of ['set-cookie', 'clear-site-data', 'access-control-allow-origin', 'x-gone'])
      expect(headers).not.toHaveProperty(name);
  });

  it('is passed on byte for byte, compressed too, and read for the timeline', async () => {
    const zipped = gzipSync(
      '{"detail":"Rules are broken","errors":[{"path":"a","ruleId":"r-1","message":"too long"}]}',
    );
    const bytes = Buffer.from([0, 255, 254, 10, 13, 0]);
    const { program } = await scripted({
      '/v3/zipped': (response) => void response.writeHead(422, { 'content-encoding': 'gzip' }).end(zipped),
      '/v3/bytes': (response) => void response.writeHead(200, { 'x-name': 'caf\u00e9' }).end(bytes),
      '/v3/long': (response) => void response.end('x'.repeat(3_000_000)),
    });
    const refused = await program.called('GET', '/v3/zipped');
    expect([refused.status, refused.bytes.equals(zipped)]).toEqual([422, true]);
    expect((await refused.entry()).wrong).toContain('Rule r-1 is broken: a: too long');
    const odd = await program.called('GET', '/v3/bytes');
    expect([odd.bytes.equals(bytes), odd.headers['x-name']]).toEqual([true, 'caf\u00e9']);
    const long = await program.called('GET', '/v3/long');
    expect(long.bytes).toHaveLength(3_000_000);
    expect((await long.entry()).response).toMatchObject({ bytes: 3_000_000, truncated: true });
  });
});

describe('what is wrong with a call of a live service', () => {
  it('is said as far as it can be known', async () => {
    const refused = answering({ error: { code: 'x', message: 'No.' } }, 401);
    const { program, upstream } = await scripted({
      '/auth-v1/': refused,
      [endpoints.accessToken]: refused,
      '/v3/': refused,
      '/v3/batchpayments/': answering({
        data: {},
        error: { detail: [{ ruleId: 'r-9', target: 'reference', message: 'too long' }] },
      }),
    });
    const wrong = async (calling: ReturnType<typeof program.called>) => (await (await calling).entry()).wrong;
    expect(await wrong(program.called('GET', '/v3/providers', { [header.application]: 'a' }))).toEqual([
      'No.',
      'Header x-api-key is missing',
    ]);
    expect(await wrong(program.called('POST', '/v3/batchpayments', common, '{}'))).toEqual([
      ...['No.', 'Header authorization is missing', 'Header x-idempotency-key is missing'],
    ]);
    expect(await wrong(program.called('GET', '/v3/batchpayments/b', common))).toEqual([
      'Rule r-9 is broken: reference: too long',
    ]);
    expect(
      await wrong(program.called('POST', endpoints.createOrganisation, common, organisation({ colour: 'red' }))),
    ).toEqual([
      ...['No.', 'Header x-nonce is missing', 'Header x-signature is missing', 'Header x-idempotency-key is missing'],
      'Unknown field colour: this call has none, it is ignored',
    ]);
    const keyed = { [header.idempotency]: '1' };
    const console = await (await program.signed({ headers: keyed })).entry();
    expect(console.wrong?.[1]).toContain('The console’s address was signed');
    expect(console.baseString).toContain(encodeURIComponent(upstream.url + endpoints.createOrganisation));
    expect(console.signed).toContain(encodeURIComponent('/program'));
    const unfit = await (await program.signed({ at: upstream.url, headers: keyed, sign: () => 'eA==' })).entry();
    expect(unfit.wrong?.[1]).toContain('No usual mistake');
    const right = await (await program.signed({ at: upstream.url, headers: keyed })).entry();
    expect([right.wrong?.[1], right.baseString]).toEqual([
      expect.stringContaining('is right by the key') as string,
      '',
    ]);
    const unknown = await program.signed({
      at: upstream.url,
      path: endpoints.accessToken,
      method: 'GET',
      headers: { [header.organisation]: 'o' },
    });
    expect((await unknown.entry()).wrong?.[1]).toContain('does not know the key');
  });

  it('is not recorded where the timeline is switched off, which the page is told', async () => {
    const { program, url } = await scripted({ '/v3/': answering({}) }, { entries: 0 });
    expect((await program.api.done('getPrograms')).data.recorded).toBe(false);
    expect((await program.called('GET', '/v3/providers')).status).toBe(200);
    expect((await apiAt(url).done('getTimeline')).data).toEqual([]);
  });
});
