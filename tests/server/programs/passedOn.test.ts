import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programTokenHeader } from '#contract/programs.ts';
import { testConsole } from '#tests/support/console.ts';
import { integratorAt } from '#tests/support/integrator.ts';
import { problemOf, scripted } from '#tests/support/programs.ts';
import { rawService, type RawRequest } from '#tests/support/rawService.ts';

/** A program that calls through a console, at a service that answers with these bytes. */
async function answered(...pieces: readonly (string | Buffer)[]) {
  const service = await rawService((_request, socket) => {
    for (const piece of pieces) socket.write(piece);
  });
  const opened = await testConsole({ upstreamUrl: service.url });
  return { ...opened, service, program: await integratorAt(opened.url) };
}

/** Sends the head and the body of a program's call, and returns all bytes of the response. */
async function raw(url: string, token: string, line: string, lines: readonly string[] = [], body = '') {
  const { host, port } = new URL(url);
  const socket: Socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const given = lines.some((each) => /^host:/i.test(each)) ? [] : [`Host: ${host}`];
  socket.write(
    `${[line, ...given, `${programTokenHeader}: ${token}`, 'Connection: close', ...lines].join('\r\n')}\r\n\r\n${body}`,
  );
  return Promise.race([text(socket), wait(5000).then(() => 'nothing')]);
}

const head = (status: string, ...lines: readonly string[]) =>
  `${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n`;
const linesOf = (response: string, name: string) =>
  response
    .split('\r\n\r\n')[0]!
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(`${name}:`));

describe('The answer to a program', () => {
  it('has each header as often as it was sent, also unknown ones (behaviour 7.21)', async () => {
    const sent = [
      'Set-Cookie: a=1; Path=/',
      'Set-Cookie: b=2, c',
      'Link: </a>; rel=next',
      'Link: </b>; rel=prev',
      'WWW-Authenticate: Basic realm="a, b"',
      'WWW-Authenticate: Bearer',
      'X-Unknown: 1',
      'X-UNKNOWN: 2',
      'Content-Digest: sha-256=:eA==:',
      'x-jws-signature: a..b',
      'Vary: accept',
      'Warning: 199 - "x"',
      'Server: own',
      'X-Latin: caf\u00e9',
      'Via: 1.1 gateway',
    ];
    const { url, program } = await answered(Buffer.from(head('401 No', ...sent, 'content-length: 0'), 'latin1'));
    const response = await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1');
    for (const name of ['set-cookie', 'link', 'www-authenticate', 'x-unknown', 'content-digest', 'x-jws-signature'])
      expect(linesOf(response, name).map((line) => line.replace(/^[^:]*/, ''))).toEqual(
        sent.filter((line) => line.toLowerCase().startsWith(name)).map((line) => line.replace(/^[^:]*/, '')),
      );
    for (const name of ['vary', 'warning', 'server', 'via']) expect(linesOf(response, name)).toHaveLength(1);
  });

  it('has no header of a connection, also those that Connection names (behaviour 7.21; threat 6.26)', async () => {
    const { url, program } = await answered(
      head(
        '200 OK',
        ...[
          'connection: x-one, close',
          'Connection: X-Two',
          'x-one: 1',
          'X-TWO: 2',
          'x-three: 3',
          'keep-alive: timeout=5',
        ],
        ...[
          'proxy-authenticate: Basic',
          'proxy-connection: close',
          'upgrade: h2c',
          'te: trailers',
          'content-length: 2',
        ],
      ),
      'ok',
    );
    const response = await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1');
    for (const name of ['x-one', 'x-two', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'upgrade', 'te'])
      expect(linesOf(response, name), name).toEqual([]);
    expect(linesOf(response, 'x-three')).toEqual(['x-three: 3']);
    expect(response).toMatch(/\r\n\r\nok$/);
  });

  it.each([
    [
      '304 with the length of what was not sent',
      'GET',
      head('304 Same', 'etag: "1"', 'content-length: 500'),
      304,
      '500',
    ],
    ['204 with a length', 'GET', head('204 None', 'content-length: 0'), 204, ''],
    ['204 without a length', 'DELETE', head('204 None'), 204, ''],
    ['HEAD with a length', 'HEAD', head('200 OK', 'content-length: 12345', 'etag: "2"'), 200, '12345'],
    ['HEAD without a length', 'HEAD', head('200 OK', 'transfer-encoding: chunked'), 200, ''],
  ])('passes without a body: %s (behaviour 7.21)', async (_, method, bytes, status, length) => {
    const { program } = await answered(bytes);
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await program.called(method, '/v3/providers');
      expect([response.status, response.answer]).toEqual([status, '']);
      if (length !== '') expect(response.headers['content-length']).toBe(length);
      expect((await response.entry()).response.bytes).toBe(0);
    }
  });

  it('of bytes after a 204 is the 204, for a read', async () => {
    const { program } = await answered(head('204 None'), 'surplus');
    expect((await program.called('GET', '/v3/providers')).status).toBe(204);
  });

  it('follows interim responses, for reads and writes (behaviour 7.21)', async () => {
    const { program } = await answered(
      head('103 Early Hints', 'link: </style.css>'),
      head('102 Processing'),
      head('201 Made', 'content-length: 4'),
      'made',
    );
    for (const method of ['GET', 'POST', 'PATCH']) {
      const { status, answer, headers } = await program.called(
        method,
        '/v3/providers',
        {},
        method === 'GET' ? '' : '{}',
      );
      expect([method, status, answer, headers['link']]).toEqual([method, 201, 'made', undefined]);
    }
  });

  it('in chunks says its length, which is then known', async () => {
    const { program } = await answered(
      head('200 OK', 'transfer-encoding: chunked'),
      '2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n',
    );
    const { headers, answer } = await program.called('GET', '/v3/providers');
    expect([answer, headers['content-length'], headers['transfer-encoding']]).toEqual(['abcde', '5', undefined]);
  });

  it('has the trailers of a chunked body (behaviour 7.21)', async () => {
    const chunks = '2\r\nab\r\n3\r\ncde\r\n0\r\nx-checksum: 7\r\nset-cookie: late=1\r\n\r\n';
    const { url, program } = await answered(
      head('200 OK', 'transfer-encoding: chunked', 'trailer: x-checksum'),
      chunks,
    );
    const response = await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1');
    expect(response).toMatch(/\r\n5\r\nabcde\r\n0\r\nx-checksum: 7\r\n/i);
  });
});

describe('The request of a program', () => {
  it('reaches the service under a complete address of the console (behaviour 7.21)', async () => {
    const { url, service, program } = await answered(head('200 OK', 'content-length: 2'), 'ok');
    const { host } = new URL(url);
    const upper = host.toUpperCase();
    for (const address of [url, url.replace('http', 'HTTP'), `http://${upper}`])
      expect(await raw(url, program.token, `GET ${address}/program/v3/providers?a=1 HTTP/1.1`)).toMatch(
        /^HTTP\/1.1 200/,
      );
    expect(service.requests.map(({ path }) => path)).toEqual(Array(3).fill('/v3/providers?a=1'));
    for (const [address, answer] of [
      ['http://evil.example', 'The request names evil.example'],
      [`http://user@${host}`, `The request names user@${host}`],
      ['http://', 'The request names no host'],
    ] as const)
      expect(await raw(url, program.token, `GET ${address}/program/v3/providers HTTP/1.1`)).toContain(answer);
    expect(service.requests).toHaveLength(3);
  });

  it.each([
    ['Expect: 100-continue', ['expect: 100-continue', 'content-length: 5'], 'hello'],
    ['chunks', ['transfer-encoding: chunked'], '2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n'],
    ['chunks and trailers', ['transfer-encoding: chunked', 'trailer: x-a'], '5\r\nhello\r\n0\r\nx-a: 1\r\n\r\n'],
  ])('arrives whole and once, framed anew: %s (behaviour 7.21)', async (_, lines, body) => {
    const { url, service, program } = await answered(head('200 OK', 'content-length: 2'), 'ok');
    const response = await raw(url, program.token, 'POST /program/v3/batchpayments HTTP/1.1', lines, body);
    expect(response).toContain('HTTP/1.1 200');
    const [{ headers, body: arrived }, ...more] = service.requests as [RawRequest];
    expect([arrived, headers['content-length'], more]).toEqual(['hello', '5', []]);
    for (const name of ['expect', 'transfer-encoding', 'trailer']) expect(headers).not.toHaveProperty(name);
  });

  it('keeps its own cookies and end-to-end headers, but not the console’s cookies (threat 6.26)', async () => {
    const { url, service, program } = await answered(head('200 OK', 'content-length: 2'), 'ok');
    const lines = [
      'Cookie: route=a; session=secret; __Host-session=s; signin-0123456789ab=t; b=2',
      'Content-Digest: sha-256=:eA==:',
      'x-jws-signature: a..b',
      'Link: </a>',
      'connection: x-gone',
      'x-gone: 1',
      'x-custom: caf\u00e9',
    ];
    await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1', lines);
    await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1', ['Cookie: session=secret']);
    await raw(url, program.token, 'GET /program/v3/providers HTTP/1.1', ['Cookie: route=a', 'Sec-Fetch-Site: none']);
    const [first, second, third] = service.requests.map(({ headers }) => headers);
    expect(first).toMatchObject({ cookie: 'route=a; b=2', 'content-digest': 'sha-256=:eA==:', link: '</a>' });
    expect(first).toMatchObject({ 'x-jws-signature': 'a..b' });
    expect(first).not.toHaveProperty('x-gone');
    for (const headers of [second, third]) expect(headers).not.toHaveProperty('cookie');
  });

  it.each([
    ['/v3/providers/100%', '“%”'],
    ['/v3/providers/5%25%2', '“%2”'],
    ['/v3/providers/%zz/a', '“%zz”'],
    ['/v3/100%/%41', '“%/%”'],
  ])('with a lone percent sign is refused with its place: %s', async (path, place) => {
    const { program, upstream } = await scripted({});
    const refused = problemOf(await program.called('GET', path));
    expect(refused).toMatchObject({ status: 400, detail: expect.stringContaining(place) as string });
    expect(refused.detail).toContain('%25');
    expect(upstream.asked).toEqual([]);
  });
});

describe('The record of a program’s call', () => {
  const json = '{"name":"Zoë"}';
  const cases: [string, string, Buffer, object][] = [
    ['text in UTF-8', 'content-type: application/json', Buffer.from(json), { body: json, bytes: 15 }],
    [
      'text in Latin-1',
      'content-type: application/json; charset=ISO-8859-1',
      Buffer.from(json, 'latin1'),
      { body: json, bytes: 14 },
    ],
    [
      'text in UTF-16',
      'content-type: text/plain; charset="utf-16le"',
      Buffer.from(json, 'utf16le'),
      { body: json, bytes: 28 },
    ],
    [
      'bytes',
      'content-type: application/pdf',
      Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 255, 254]),
      { body: 'JVBERgD//g==', encoding: 'base64', bytes: 7 },
    ],
    [
      'text that is not in its charset',
      'content-type: application/json; charset=utf-8',
      Buffer.from(json, 'latin1'),
      { body: Buffer.from(json, 'latin1').toString('base64'), encoding: 'base64', bytes: 14 },
    ],
    [
      'compressed text',
      'content-type: application/json\r\ncontent-encoding: GZIP',
      gzipSync(json),
      { body: json, bytes: gzipSync(json).length, contentBytes: 15 },
    ],
    [
      'twice compressed text',
      'content-type: application/json\r\ncontent-encoding: br, gzip',
      gzipSync(brotliCompressSync(json)),
      { body: json, contentBytes: 15 },
    ],
    [
      'an unknown compression',
      'content-type: application/json\r\ncontent-encoding: zstd',
      Buffer.from([1, 2]),
      { body: 'AQI=', encoding: 'base64', bytes: 2 },
    ],
  ];

  it.each(cases)('shows %s, with the number of its bytes (behaviour 7.22)', async (_, type, bytes, shown) => {
    const { url, program } = await answered(head('200 OK', type, `content-length: ${bytes.length}`), bytes);
    const lines = Object.fromEntries(type.split('\r\n').map((line) => line.split(/: (.*)/) as [string, string]));
    const called = await program.called('POST', '/v3/batchpayments', lines, bytes);
    expect(called.bytes.equals(bytes)).toBe(true);
    const { request, response } = await called.entry();
    expect(request).toMatchObject(shown);
    expect(response).toMatchObject(shown);
    const { log } = (await (await fetch(`${url}/api/timeline.har`)).json()) as {
      log: { entries: { request: { bodySize: number }; response: { bodySize: number; content: object } }[] };
    };
    const entry = log.entries.at(-1)!;
    expect([entry.request.bodySize, entry.response.bodySize]).toEqual([bytes.length, bytes.length]);
    const { contentBytes = bytes.length, encoding, body } = response;
    expect(entry.response.content).toMatchObject({ size: contentBytes, text: body, ...(encoding && { encoding }) });
  });

  it('masks secrets within bytes, and marks what was cut (behaviour 7.22; threat 6.29)', async () => {
    const secret = 'a-key-of-some-program-0123456789';
    const bytes = Buffer.concat([Buffer.from([0, 1]), Buffer.from(secret), Buffer.alloc(300_000, 255)]);
    const { url, program } = await answered(head('200 OK', `content-length: ${bytes.length}`), bytes);
    const called = await program.called('GET', '/v3/providers', { 'x-api-key': secret });
    const { response } = await called.entry();
    expect(response).toMatchObject({ truncated: true, bytes: bytes.length, encoding: 'base64' });
    expect(Buffer.from(response.body, 'base64').toString('latin1')).not.toContain(secret);
    const har = await (await fetch(`${url}/api/timeline.har`)).text();
    expect(har).toContain(`Only the beginning of ${bytes.length} bytes was recorded.`);
  });
});
