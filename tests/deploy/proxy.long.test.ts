import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { ask, isInstalled, proxy } from './proxy.ts';

/** A server on this machine in place of a container, which can be stopped. */
async function container(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

it.skipIf(!isInstalled)(
  'the proxy routes by host, resets forwarded headers, keeps users at one console and fails over between consoles',
  { timeout: 60_000 },
  async () => {
    const echo =
      (name: string): RequestListener =>
      ({ headers, method }, response) => {
        if (headers.accept !== 'text/event-stream') response.end(JSON.stringify({ name, method, headers }));
        else response.writeHead(200, { 'x-accel-buffering': 'no' }).write('first');
      };
    const [one, two, sandbox, login] = await Promise.all(
      ['console-1', 'console-2', 'sandbox', 'login'].map((name) => container(echo(name))),
    );
    const addresses = { 'console-1': one!.address, 'console-2': two!.address, sandbox: sandbox!.address };
    const reached = await proxy({ ...addresses, login: login!.address });
    const said = async (host: string, method?: string, headers?: Record<string, string>) =>
      JSON.parse(await text(await ask(reached, host, method, headers))) as {
        name: string;
        headers: Record<string, string>;
      };
    await expect
      .poll(() => said('sandbox.localhost').catch(String), { timeout: 20_000 })
      .toMatchObject({ name: 'sandbox' });
    expect(await said('login.localhost')).toMatchObject({ name: 'login' });

    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' };
    const { headers } = await said('console.localhost', 'GET', forged);
    expect(headers).toMatchObject({
      host: 'console.localhost',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });

    const withPort = `console.localhost:${reached.port}`;
    const atPort = await said('console.localhost', 'GET', { host: withPort });
    expect(atPort.headers['host'], 'the port is part of the origin').toBe(withPort);

    const other = await ask(reached, 'localhost').catch((error: NodeJS.ErrnoException) => error.code);
    expect(other, 'a name that the certificate has not').toBe('ERR_TLS_CERT_ALTNAME_INVALID');

    const stream = await ask(reached, 'console.localhost', 'GET', { accept: 'text/event-stream' });
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString(), 'what is sent is not held back').toBe('first');
    stream.destroy();

    const users = Array.from({ length: 20 }, (_, user) => ({ cookie: `theme=dark; __Host-session=user-${user}` }));
    const served = async (method: string) => {
      const names: string[] = [];
      for (const user of users) names.push((await said('console.localhost', method, user)).name);
      return names;
    };
    const usual = await served('GET');
    expect(new Set(usual)).toEqual(new Set(['console-1', 'console-2']));
    expect(await served('POST'), 'a user stays at one').toEqual(usual);
    one!.stop();
    const names = [...(await served('GET')), ...(await served('POST'))];
    expect(names).toEqual(names.map(() => 'console-2'));

    two!.stop();
    const away = await ask(reached, 'console.localhost');
    expect(away.statusCode).toBe(502);
    expect(away.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    const page = await text(away);
    expect(page, 'a page says that no console runs, and asks again').toMatch(
      /http-equiv="refresh".*tries again by itself/,
    );
  },
);
