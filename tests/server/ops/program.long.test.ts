import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { ready } from '../../../scripts/ready.mjs';
import { listening } from '#tests/support/listen.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** Starts the program as a process, on free ports and with an empty data folder unless `env` says otherwise. */
function started(env: Record<string, string> = {}, program = 'dist/server/main.js') {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0', SANDBOX_PORT: '0', DATA_DIR: temporaryFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]: unknown[]) => code);
  const complaint = text(child.stderr).catch(() => '');
  const address = async () => {
    const [greeting] = (await once(child.stdout, 'data')) as [Buffer];
    return new URL(/(?:Console|Sandbox): ([^\s,]+)/.exec(greeting.toString())![1]!);
  };
  return { child, exited, complaint, address };
}

// Tests the build: compiling at each start would take most of the time.
beforeAll(ready, 120_000);

/** Ways in which another console gets to the same file. */
const ways: readonly [how: string, lead: (folder: string) => string][] = [
  [
    'it is reached by a symbolic link',
    (folder) => {
      const link = join(temporaryFolder(), 'link');
      symlinkSync(folder, link);
      return link;
    },
  ],
  [
    'a lock file of an earlier version is removed',
    (folder) => (rmSync(join(folder, 'console.sqlite.lock'), { force: true }), folder),
  ],
  [
    'its file is reached by a hard link',
    (folder) => {
      const other = temporaryFolder();
      linkSync(join(folder, 'console.sqlite'), join(other, 'console.sqlite'));
      linkSync(join(folder, 'store.key'), join(other, 'store.key'));
      return other;
    },
  ],
];

describe('The console’s process', { timeout: 60_000 }, () => {
  it('exits with one sentence about a port that is in use', async () => {
    const { port } = new URL(await listening((_, response) => response.end()));
    for (const name of ['PORT', 'SANDBOX_PORT', 'METRICS_PORT']) {
      const { exited, complaint } = started({ [name]: port });
      expect(await exited).toBe(1);
      expect(await complaint).toBe(
        `${name} is ${port}: this port is in use, give another one or 0 for any free one.\n`,
      );
    }
  });

  it('exits with one sentence if another console uses its data folder', async () => {
    const env = { DATA_DIR: temporaryFolder() };
    await started(env).address();
    const { exited, complaint } = started(env);
    expect(await exited).toBe(1);
    expect(await complaint).toMatch(
      /^DATA_DIR names the file \S+: another process is using it, stop that process or give another file\.\n$/,
    );
  });

  it.each(ways)('exits if another console uses its file, also where %s (threat 7.6)', async (_, lead) => {
    const folder = temporaryFolder();
    await started({ DATA_DIR: folder }).address();
    const { exited, complaint } = started({ DATA_DIR: lead(folder) });
    expect(await exited).toBe(1);
    expect(await complaint).toMatch(/: another process is using it, /);
  });

  it('prints a loopback address when it listens on all addresses', async () => {
    const access = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'c', PUBLIC_URL: 'https://console.example' };
    const url = await started({ HOST: '0.0.0.0', ...access }).address();
    expect(url.hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    expect((await fetch(new URL('/api/settings', url))).status).toBe(401);
  });

  it('finishes pending requests on SIGTERM and exits with 0', async () => {
    const { child, exited, address } = started();
    const { port, hostname, host } = await address();
    const body = JSON.stringify({ key: 'useMock', value: 'false' });
    const socket = connect(Number(port), hostname);
    const answer = text(socket);
    const head = ['POST /api/settings HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json'];
    socket.write(
      `${[...head, `Content-Length: ${body.length}`, 'Connection: close'].join('\r\n')}\r\n\r\n${body.slice(0, 5)}`,
    );
    await fetch(`http://${host}/healthz`, { headers: { connection: 'close' } });
    child.kill('SIGTERM');
    await expect.poll(() => fetch(`http://${host}/healthz`).catch(() => 'refused')).toBe('refused');
    socket.write(body.slice(5));
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK/);
    expect(await exited).toBe(0);
  });

  it('prints which signal ends it, also SIGHUP', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const { child, exited, complaint, address } = started();
      await address();
      child.kill(signal);
      expect(await exited).toBe(0);
      expect(await complaint).toMatch(new RegExp(`^Ending, because .*${signal}.*\\n$`));
    }
  });

  it('prints nothing but lines of JSON, with level by name and time in ISO, unless LOG_FORMAT is text (behaviour 7.27)', async () => {
    const { child, exited, complaint } = started({ LOG_FORMAT: 'json', NODE_OPTIONS: '--pending-deprecation' });
    const printed = text(child.stdout);
    const url = await new Promise<string>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        const [, found] = /"url":"([^"]+)"/.exec(chunk.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(await printed).toBe('');
    const lines = (await complaint).trimEnd().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as { level: string; time: string; msg: string });
    expect(parsed.map(({ msg }) => msg)).toEqual(['started', 'ending']);
    for (const { level, time } of parsed) {
      expect(level).toBe('info');
      expect(new Date(time).toISOString()).toBe(time);
    }
  });

  it.each([
    [{ UPSTREAM: 'elsewhere' }, 'UPSTREAM is "elsewhere": give one of sandbox, live.'],
    [{ OIDC_ISUER: 'https://login.example' }, /^OIDC_ISUER is not a variable of the console/],
    [{ DRAIN_TIME: '301' }, 'DRAIN_TIME is "301": give a whole number of seconds from 0 to 300.'],
  ])(
    'tells what prevents the start in one line of JSON with LOG_FORMAT=json: %j (behaviour 7.27)',
    async (env, msg) => {
      const { exited, complaint } = started({ LOG_FORMAT: 'json', ...env });
      expect(await exited).toBe(1);
      expect(JSON.parse(await complaint)).toMatchObject({
        level: 'fatal',
        msg: typeof msg === 'string' ? msg : (expect.stringMatching(msg) as string),
      });
    },
  );

  it('serves on SIGTERM for DRAIN_TIME, while /readyz answers 503, and a second signal ends it (behaviour 7.28)', async () => {
    const { child, exited, address } = started({ DRAIN_TIME: '2' });
    const url = await address();
    const at = (path: string) => fetch(new URL(path, url)).catch(() => undefined);
    expect((await at('/readyz'))?.status).toBe(200);
    const begun = performance.now();
    child.kill('SIGTERM');
    await expect.poll(async () => (await at('/readyz'))?.status).toBe(503);
    expect(await (await at('/readyz'))?.json()).toEqual({ status: 'draining' });
    expect((await at('/api/settings'))?.status).toBe(200);
    expect(await exited).toBe(0);
    expect(performance.now() - begun).toBeGreaterThan(1900);
    const second = started({ DRAIN_TIME: '60' });
    const ready = new URL('/readyz', await second.address());
    second.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(ready)).status).toBe(503);
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(null);
  });

  it('ends at once on SIGINT, whatever DRAIN_TIME is (behaviour 7.28)', async () => {
    const { child, exited, address } = started({ DRAIN_TIME: '60' });
    await address();
    child.kill('SIGINT');
    expect(await exited).toBe(0);
  });

  it('continues when its output streams are closed, and still exits with 0 on SIGTERM', async () => {
    const { child, exited, address } = started({ LOG_LEVEL: 'info' });
    const url = await address();
    child.stdout.destroy();
    child.stderr.destroy();
    for (const path of ['/healthz', '/api/settings', '/api/nothing']) await fetch(new URL(path, url));
    expect((await fetch(new URL('/healthz', url), { headers: { connection: 'close' } })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  it('can be the sandbox only, which also exits with 0 on SIGTERM', async () => {
    const { child, exited, address } = started({}, 'dist/server/sandbox.js');
    const status = await fetch(new URL(endpoints.consumerStatus, await address()));
    expect(await status.json()).toMatchObject({ branch: 'sandbox' });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
