import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { secretIsSet } from '#contract/secrets.ts';
import { dispatch } from '#server/upstream/dispatch.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { company } from '#tests/support/client.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { listening } from '#tests/support/listen.ts';

const MB = 1024 * 1024;

/** Begins to download a file of a service through the console. */
async function download(answer: (response: ServerResponse) => unknown) {
  const service = await fakeUpstream({
    '/files': answer as Script,
    [endpoints.batches]: (response) => {
      const links = { paymentFile: `${service.url}/files/1` };
      void answering({ data: { batchId: 'b', status: 'PaymentFileAvailable' }, links })(response, service.asked[0]!);
    },
  });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({
    ...{ organisationId: company.organisationId, companyId: company.companyId, companySigningKey: company.signingKey },
  });
  const path = `/api/downloadpaymentfile/${encodeURIComponent(`${service.url}/files/1`)}?batchId=b`;
  const request = get(server.url + path);
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage]; // node's arguments
  return { ...server, response, request };
}

const entryOf = async ({ done }: Pick<Awaited<ReturnType<typeof testConsole>>, 'done'>, kind: 'call' | 'service') =>
  vi.waitFor(async () => {
    const { data } = await done('getTimeline', { query: { kind } });
    const entry = data.find(({ url }) => !url.includes(endpoints.batches) && !url.includes(endpoints.accessToken));
    expect(entry).toBeDefined();
    return entry!; // as expected
  });

describe('a long payment file', () => {
  it('begins to arrive before the service has sent its end; recorded is its beginning', async () => {
    const line = 'é€😀 0123456789\n';
    const text = line.repeat(Math.ceil((5 * MB) / Buffer.byteLength(line)));
    const bytes = Buffer.from(text);
    let sendRest: () => void = () => undefined;
    const arriving = await download(async (response) => {
      const goOn = new Promise<void>((resolve) => (sendRest = resolve));
      response.writeHead(200, { 'content-type': 'text/plain' }).write(bytes.subarray(0, MB + 1));
      await goOn;
      response.end(bytes.subarray(MB + 1));
    });
    const { response } = arriving;
    await once(response, 'readable');
    sendRest();
    expect((await buffer(response)).equals(bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="payment-file.txt"',
      'x-content-type-options': 'nosniff',
    });
    for (const kind of ['service', 'call'] as const) {
      const recorded = (await entryOf(arriving, kind)).response;
      expect(recorded).toMatchObject({ truncated: true, bytes: bytes.length });
      expect(recorded.body.length).toBeLessThanOrEqual(32 * 1024);
      expect(text.startsWith(recorded.body)).toBe(true);
    }
  });

  it('holds no secret of the console, wherever its pieces begin', async () => {
    const { apiKey } = sandboxCredentials;
    const [before, after] = ['x'.repeat(MB), 'y'.repeat(MB)];
    const { response } = await download(async (answer) => {
      answer.write(before + apiKey.slice(0, 5));
      await wait(50);
      answer.write(apiKey.slice(5, 9));
      await wait(50);
      answer.end(apiKey.slice(9) + after + apiKey);
    });
    const text = (await buffer(response)).toString();
    expect(text === before + secretIsSet + after + secretIsSet).toBe(true);
  });

  it('that breaks off does not look whole', async () => {
    const arriving = await download(async (answer) => {
      answer.write('x'.repeat(MB));
      await wait(50);
      answer.destroy();
    });
    await expect(buffer(arriving.response)).rejects.toThrow('aborted');
    expect((await entryOf(arriving, 'service')).reason).toBe('The file was not transferred to its end.');
  });

  it('that exceeds what an answer may have breaks off', async () => {
    const { response } = await download((answer) => answer.end('x'.repeat(17 * MB)));
    await expect(buffer(response)).rejects.toThrow('aborted');
  });

  it('is no longer asked for once its client has left', async () => {
    const left = vi.fn();
    const { request, response } = await download((answer) => {
      answer.once('close', left);
      answer.write('x'.repeat(MB));
    });
    await once(response, 'readable');
    expect(left).not.toHaveBeenCalled();
    request.destroy();
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
  });

  it('is read no faster than it is passed on', async () => {
    let sent = 0;
    const all = 256 * MB;
    const sendAll = async (answer: ServerResponse) => {
      answer.on('error', () => undefined);
      for (const piece = 'x'.repeat(MB); sent < all && !answer.destroyed; sent += MB)
        if (!answer.write(piece)) await Promise.race([once(answer, 'drain'), once(answer, 'close')]);
    };
    const url = await listening((_request, answer) => void sendAll(answer));
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const limits = { most: 2 * all, total: 60_000, held: MB };
    const { long } = await dispatch(agent, { origin: url, path: '/', method: 'GET' }, limits, () => undefined);
    let before = -1;
    // Until what the system buffers is full.
    while (sent > before) {
      before = sent;
      await wait(200);
    }
    expect(sent).toBeLessThan(all / 4);
    long!.rest.destroy(); // it is long
  });
});

it('a short payment file is held, and answered with its length', async () => {
  const { response } = await download((answer) => answer.end('short'));
  expect(response.headers['content-length']).toBe('5');
  expect((await buffer(response)).toString()).toBe('short');
});

it.each([1, 5 * MB])(
  'a payment file that is compressed although none is asked for is refused: %i bytes',
  async (length) => {
    const file = gzipSync(randomBytes(length));
    const { response } = await download((answer) => {
      expect(answer.req.headers['accept-encoding']).toBe('identity');
      answer.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(file);
    });
    expect(response.statusCode).toBe(502);
    expect(JSON.parse((await buffer(response)).toString())).toMatchObject({
      code: 'upstream-invalid',
      detail: expect.stringContaining('is compressed') as string,
    });
  },
);

it.each(['identity', 'utf-8'])('a payment file is taken whose encoding is named %s', async (encoding) => {
  const { response } = await download((answer) => answer.writeHead(200, { 'content-encoding': encoding }).end('é'));
  expect((await buffer(response)).toString()).toBe('é');
});
