import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { environmentFor } from '#command/start.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { ready } from '../../../scripts/ready.mjs';
import { agentOn } from './client.ts';

beforeAll(ready, 240_000);

const texts = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** An agent whose server is the command of the package, in an empty folder. */
async function agent(env: Readonly<Record<string, string>> = {}, cwd = temporaryFolder()) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('scripts/start.mjs'), 'mcp'],
    env: { ...texts(process.env), ...env },
    cwd,
    stderr: 'inherit',
  });
  return { ...(await agentOn(transport)), transport, cwd };
}

interface Verdict {
  ok: boolean;
  failed: { id: string; mend: string }[];
  verificationId: string;
}

/** The client of the examples, and what each check asks to be changed in its program. */
const client = pathToFileURL(resolve('examples/naive/client.mjs')).href;
const repairs: Readonly<Record<string, readonly [mistake: string, mended: string]>> = {
  'write-key': ["keyOf: () => ''", 'keyOf: ({ key }) => key'],
};

it(
  'an agent repairs a program, check by check, until its verification passes (behaviour 10.23.1)',
  { timeout: 240_000 },
  async () => {
    const { read, cwd } = await agent();
    const file = join(cwd, 'pay.mjs');
    writeFileSync(file, `import { payInvoices } from '${client}';\nawait payInvoices({ keyOf: () => '' });\n`);
    const verify = () =>
      read<Verdict>('verify_program', { command: ['node', 'pay.mjs'], folder: cwd, only: ['write-key'] });
    const repaired: string[] = [];
    let verdict = await verify();
    while (!verdict.ok && repaired.length < 5) {
      const { id, mend } = verdict.failed[0]!; // it is not ok
      expect(mend).not.toBe('');
      const [mistake, mended] = repairs[id]!; // what this agent knows
      writeFileSync(file, readFileSync(file, 'utf8').replace(mistake, mended));
      repaired.push(id);
      verdict = await verify();
    }
    expect(repaired).toEqual(['write-key']);
    expect(verdict).toMatchObject({ ok: true, failed: [] });
    const works = await read<{ calls: unknown[] }>('read_verification', {
      verificationId: verdict.verificationId,
      scenario: 'works',
    });
    expect(works.calls.length).toBeGreaterThan(1);
  },
);

it(
  'the command for agents calls no live service, whatever is configured, and leaves nothing behind (behaviour 10.23.4)',
  { timeout: 240_000 },
  async () => {
    const reached: string[] = [];
    const live = createServer(({ method, url }, response) => {
      reached.push(`${method} ${url}`);
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(live, 'listening');
    onTestFinished(() => void live.close());
    const url = `http://127.0.0.1:${(live.address() as AddressInfo).port}`; // it listens on a port
    const configured = {
      ...liveEnvironment(url),
      SANDBOX_URL: url,
      HTTPS_PROXY: url,
      HTTP_PROXY: url,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    };
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, '.env'),
      Object.entries(configured)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const folder = temporaryFolder();
    const { read, client: own } = await agent({ ...configured, TMPDIR: folder }, cwd);
    const made = await read<{ ok: boolean; now: { sandbox: string } }>('run_journey', { key: 'nothing-to-paid' });
    expect(made).toMatchObject({ ok: true, now: { batches: 1 } });
    expect(made.now.sandbox).not.toBe(url);
    writeFileSync(join(cwd, 'names.mjs'), "console.log(Object.keys(process.env).join(' '));");
    const { texts: said } = await (async () => {
      const { content } = await own.callTool({
        name: 'verify_program',
        arguments: { command: ['node', 'names.mjs'], folder: cwd },
      });
      return { texts: (content as { text: string }[]).map(({ text }) => text) }; // all tools answer in texts
    })();
    expect(said[0]).toMatch(/before its first call.*PAYMENTS_URL/s);
    expect(said[0]).not.toMatch(/UPSTREAM|WEBHOOK_HEADER/);
    await own.close();
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('payments-out'))).toEqual([]);
    expect(reached).toEqual([]);
    expect(environmentFor('/tmp/x', { UPSTREAM_URL: url })['UPSTREAM_URL']).toBe('');
  },
);

it('the documents are resources, with their titles and first sentences', { timeout: 120_000 }, async () => {
  const { client: own } = await agent();
  const { resources } = await own.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `docs:///${name}`),
  );
  const { contents } = await own.readResource({ uri: 'docs:///verify.md' });
  expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: readFileSync('docs/verify.md', 'utf8') });
});
