import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificates } from '../../../deploy/try/certificates.ts';
import { apiAt } from '#tests/support/api.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { connectProxy } from '#tests/support/connectProxy.ts';
import { testSandbox } from '#tests/support/console.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const name = 'api.service.test';

it.skipIf(spawnSync('openssl', ['version']).error !== undefined)(
  'a console in a closed network pays at a live service behind a proxy and a private authority, and says what the proxy refuses (behaviour 7.29, 8.8; threat 2.36)',
  { timeout: 240_000 },
  async () => {
    const sandbox = await testSandbox({ publicUrl: `https://${name}` });
    const { authority, certificate, key } = makeCertificates(temporaryFolder(), name);
    const service = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
      const target = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
      socket.on('error', () => target.destroy());
      target.on('error', () => socket.destroy());
      socket.pipe(target).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    onTestFinished(() => void service.close());
    const { port } = service.address() as AddressInfo; // it listens on a port
    const proxy = await connectProxy({ [name]: port }, { credentials: 'ada:p%40ss%3Aword' });

    const console = await newConsole({
      ...liveEnvironment(`https://${name}`),
      NODE_EXTRA_CA_CERTS: authority,
      HTTPS_PROXY: proxy.url,
      LOG_LEVEL: 'debug',
    });
    onTestFinished(() => console.remove());
    await console.start();
    const api = apiAt(console.url);
    const before = proxy.asked.length;
    await api.done('createOrganisation', { body: organisationBody });
    expect(proxy.asked.length, 'a connection of its own').toBeGreaterThan(before);
    await api.done('getLocalInstruments');
    expect(new Set(proxy.asked)).toEqual(new Set([`${name}:443`]));
    expect(proxy.others).toEqual([]);

    proxy.refuse(407);
    const { detail } = await api.refused('createCompany', { body: companyBody('C') });
    expect(detail).toContain(`the proxy 127.0.0.1:${proxy.port} answered 407 to CONNECT ${name}:443`);
    await console.stop('SIGTERM');
    expect(console.printed()).toContain('answered 407');
    expect(console.printed()).not.toMatch(/p%40ss|p@ss:word|YWRhOnBAc3M6d29yZA/);
  },
);
