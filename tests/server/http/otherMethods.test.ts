import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { programTokenHeader } from '#contract/programs.ts';
import { loginReturnPath, notificationsPath, healthPaths } from '#server/http/paths.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { ask } from '#tests/support/integrator.ts';
import { scripted } from '#tests/support/programs.ts';
import { consoleWithSandbox, testSandbox } from '#tests/support/console.ts';

const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
const reading = ['GET', 'HEAD'];

/** The console's paths with an `x` for each parameter, and whether a path has a method. */
const templates: [string, string[]][] = [
  ...Object.values(calls).map(({ method, path }): [string, string[]] => [path, method === 'GET' ? reading : [method]]),
  ...['/api/openapi.json', '/api/timeline.har', '/api/events', loginReturnPath, ...healthPaths].map(
    (path): [string, string[]] => [path, reading],
  ),
  [notificationsPath, ['POST']],
];
const paths = [...new Set(templates.map(([template]) => template.replaceAll(/\{\w+\}/g, 'x')))];
const methodsAt = (path: string): string[] => {
  const fits = ([template]: [string, string[]]) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return [...new Set(templates.filter(fits).flatMap(([, methods]) => methods))].sort();
};

const send = (url: string, method: string) =>
  fetch(url, {
    method,
    headers: { accept: '*/*', 'content-type': 'application/json' },
    ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: '{}' }),
  });

describe('A request by a method that its path does not have', () => {
  it('is refused by the console with 405 and the methods that it has, on every path (behaviour 7.32)', async () => {
    const { url } = await consoleWithSandbox();
    for (const path of paths)
      for (const method of all.filter((each) => !methodsAt(path).includes(each))) {
        const answer = await send(url + path, method);
        const allow = answer.headers.get('allow');
        expect([method, path, answer.status, allow]).toEqual([method, path, 405, methodsAt(path).join(', ')]);
        if (method === 'HEAD') continue;
        expect(await answer.json()).toMatchObject({
          code: 'invalid-request',
          detail: expect.stringContaining(`not for ${method}`) as string,
        });
      }
  });

  it.each(['/', '/settings', '/nothing', '/jwtredirect.html'])(
    'is refused with 405 for pages and files too: %s',
    async (path) => {
      const { url } = await consoleWithSandbox();
      const answer = await send(url + path, 'POST');
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );

  it('is answered by the console with 404 if it has the path at no method', async () => {
    const { url } = await consoleWithSandbox();
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await send(`${url}/api/nothing`, method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
    }
  });

  it('is refused by the sandbox with 405 and the methods that it has (behaviour 7.32)', async () => {
    const sandbox = await testSandbox();
    for (const [path, methods] of [
      [endpoints.providers, reading],
      [`${endpoints.providers}/x`, reading],
      [endpoints.batches, ['POST']],
      [`${endpoints.batches}/x`, reading],
      [`${endpoints.subscriptions}/x`, ['GET', 'HEAD', 'PATCH']],
      [endpoints.accessToken, ['GET', 'HEAD', 'POST']],
      [`${endpoints.messaging}/creditorputs`, ['POST']],
      ['/', reading],
      ['/sandbox/clock', ['DELETE', 'GET', 'HEAD', 'PATCH']],
      ['/sandbox/reset', ['GET', 'HEAD', 'POST']],
    ] as const)
      for (const method of all.filter((each) => !(methods as readonly string[]).includes(each))) {
        const answer = await send(sandbox.url + path, method);
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([
          method,
          path,
          405,
          methods.join(', '),
        ]);
      }
  });
});

it('A program’s request by a method that the service has at no path is refused with 405 and the others', async () => {
  const { url, program } = await scripted({});
  const { status, headers } = await ask(url, 'OPTIONS', '/program/v3/providers', {
    [programTokenHeader]: program.token,
  });
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST, PUT, PATCH, DELETE']);
});

describe('OPTIONS', () => {
  it.each(['/api/settings', '/api/batchpayments', '/readyz', '/settings'])(
    'is answered by the console with the methods of a path: %s (behaviour 7.32)',
    async (path) => {
      const { url } = await consoleWithSandbox();
      const answer = await send(url + path, 'OPTIONS');
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('allow')).toBe(methodsAt(path).join(', ') || 'GET, HEAD');
    },
  );
});

/** Head and body of the answer to a request, sent as it stands. */
async function exchange(url: string, request: string): Promise<readonly [head: string, body: string]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(Buffer.from(`${request}\r\n\r\n`, 'latin1'));
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return [head, body];
}

it.each(['example.com:443', '127.0.0.1:80', 'x'])(
  'A request for a tunnel is answered with 501, and the server goes on: CONNECT %s (behaviour 7.32)',
  async (authority) => {
    const [sandbox, server] = [await testSandbox(), await consoleWithSandbox()];
    for (const { url } of [sandbox, server, server]) {
      const [head, body] = await exchange(url, `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}`);
      expect(head).toMatch(/^HTTP\/1.1 501 /);
      expect(JSON.parse(body)).toMatchObject({ status: 501, detail: expect.stringContaining('no proxy') as string });
    }
  },
);

it('OPTIONS for * is answered with all methods of the server (behaviour 7.32)', async () => {
  for (const { url } of [await testSandbox(), await consoleWithSandbox()]) {
    const [head] = await exchange(url, `OPTIONS * HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close`);
    expect(head).toMatch(/^HTTP\/1.1 204 /);
    expect(head).toMatch(/allow: (?=.*GET)(?=.*HEAD)(?=.*POST)(?=.*DELETE)/i);
  }
});

describe('A request that is not valid HTTP', () => {
  const problemOf = async (url: string, request: string): Promise<unknown> =>
    JSON.parse((await exchange(url, request))[1]);

  it.each([
    ['get / HTTP/1.1', 'Its method is get: methods are written in capitals, so send GET.'],
    ['Post / HTTP/1.1', 'so send POST.'],
    ['FOO / HTTP/1.1', 'Its method is FOO, which is none of HTTP.'],
    ['\u0016\u0003\u0001', 'or of TLS?'],
    ['GET /a b HTTP/1.1', 'percent-encode blanks.'],
    ['GET /ü HTTP/1.1', 'percent-encode it.'],
    ['GET / HTTP/9.9', 'send HTTP/1.1.'],
    ['GET / HTTP/1.1\r\nHost: a\r\na b: c', 'One of its headers is not'],
    ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x', 'Content-Length is not one number'],
    ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 'send one of them.'],
    ['POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz', 'A chunk of its body'],
  ])('is refused with what is wrong and what would be right: %j (behaviour 8.11)', async (request, right) => {
    const sandbox = await testSandbox();
    const server = await consoleWithSandbox();
    for (const { url } of [sandbox, server])
      expect(await problemOf(url, request)).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/^The request is not valid HTTP\. .*/) as string,
      });
    expect(await problemOf(server.url, request)).toMatchObject({ detail: expect.stringContaining(right) as string });
  });
});
