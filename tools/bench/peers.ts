import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '../../tests/support/endpoints.ts';
import { header } from '../../src/contract/requests/headers.ts';
import { freePort } from '../../tests/support/consoleProcess.ts';
import { answering, type Process } from './processes.ts';

const text = { type: 'string' };

/** What a validating proxy has to know of the service: the read that is measured (docs/wire.md, section 5.1). */
const description = {
  openapi: '3.1.0',
  info: { title: 'Payments Out Service', version: '3.0.0' },
  paths: {
    [`${endpoints.subscriptions}/{subscriptionId}`]: {
      get: {
        parameters: [
          { name: 'subscriptionId', in: 'path', required: true, schema: text },
          ...[header.application, header.apiKey].map((name) => ({
            name,
            in: 'header',
            required: true,
            schema: text,
          })),
        ],
        responses: {
          200: {
            description: 'A subscription',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['data'],
                  properties: {
                    data: {
                      type: 'object',
                      required: ['subscriptionId', 'providerId', 'status'],
                      properties: {
                        subscriptionId: text,
                        providerId: text,
                        status: text,
                        suspendedByConsumer: { type: 'boolean' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** An environment of Mockoon without routes of its own, so that it passes on and records every call. */
const environmentFor = (upstream: string, port: number) => ({
  uuid: 'b2b5bd8c-6a2b-4f6e-9a3e-5d0f0c6a7a01',
  lastMigration: 33,
  name: 'Proxy',
  port,
  hostname: '127.0.0.1',
  endpointPrefix: '',
  latency: 0,
  rootChildren: [],
  folders: [],
  routes: [],
  data: [],
  callbacks: [],
  proxyMode: true,
  proxyHost: upstream,
  proxyRemovePrefix: false,
  proxyReqHeaders: [],
  proxyResHeaders: [],
  cors: false,
  headers: [],
  tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
});

/** Programs that do a part of the console's job: each starts in front of the service, with a folder for its files. */
export const peers: Readonly<Record<string, (folder: string, upstream: string) => Promise<Process>>> = {
  async 'Prism, which validates'(folder, upstream) {
    const [file, port] = [join(folder, 'openapi.json'), await freePort()];
    await writeFile(file, JSON.stringify(description));
    return await answering(`http://127.0.0.1:${port}`, [
      'tools/node_modules/@stoplight/prism-cli/dist/index.js',
      'proxy',
      file,
      upstream,
      '--port',
      String(port),
      '--errors',
    ]);
  },
  async 'Mockoon, which records'(folder, upstream) {
    const [file, port] = [join(folder, 'mockoon.json'), await freePort()];
    await writeFile(file, JSON.stringify(environmentFor(upstream, port)));
    return await answering(
      `http://127.0.0.1:${port}`,
      ['tools/node_modules/@mockoon/cli/bin/run.js', 'start', '--data', file, '--log-transaction', '--repair'],
      { HOME: folder }, // the folder of its log
    );
  },
};
