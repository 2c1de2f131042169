import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#tests/support/consoleProcess.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { stages } from './containerfile.ts';
import { makeImage, type Image } from './image.ts';
import { nodeFromNpm } from './node.ts';

const image = stages().at(-1)!;
const node = /^node:((\d+)\.\d+\.\d+)-/;

describe('the Containerfile', () => {
  it('builds and runs on one pinned version of Node, which package.json allows', () => {
    const images = [...new Set(stages().map((stage) => stage.image))];
    expect(images).toEqual([expect.stringMatching(node)]);
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }; // it is there
    expect(engines.node).toContain(`^${node.exec(images[0]!)![2]}.`);
  });

  it('copies exactly the files that .dockerignore lets through', () => {
    const copied = stages().flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'copy' && step.from === undefined ? step.sources : [])),
    );
    const [first, ...sent] = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(new Set(sent.filter((line) => line.startsWith('!')))).toEqual(
      new Set(copied.map((source) => `!${source.split('/')[0]}`)),
    );
    expect(sent.filter((line) => !line.startsWith('!'))).toEqual(['**/.env']);
  });

  it('starts node directly as a non-root user, and contains no secret', () => {
    expect(image).toMatchObject({ user: '1000:1000', entrypoint: ['node'], command: ['dist/server/main.js'] });
    expect(Object.keys(image.env).sort()).toEqual(['DATA_DIR', 'HOST', 'NODE_ENV', 'PORT']);
    expect(image.health?.[0]).toBe('node');
    expect(image.health?.at(-1)).toBe(`http://127.0.0.1:${image.env['PORT']}/readyz`);
  });
});

/** Every step is run, in an empty folder and on the image's own version of Node. */
describe('the container image', { timeout: 120_000 }, () => {
  let made: Image;
  beforeAll(() => {
    made = makeImage(nodeFromNpm(node.exec(image.image)![1]!));
  }, 600_000);
  afterAll(() => made?.remove(), 60_000);

  /** Starts a program on this machine alone, with its own data. */
  async function started(more: Record<string, string> = {}, command?: readonly string[]) {
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const env = { HOST: '127.0.0.1', PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: made.data() };
    const program = made.start({ ...env, ...more }, command);
    onTestFinished(() => void program.end('SIGKILL'));
    return { program, url: `http://127.0.0.1:${port}`, sandboxUrl: `http://127.0.0.1:${sandboxPort}` };
  }
  /** What a container's log says: its lines are JSON. */
  const sentencesOf = (program: { printed: () => string }) =>
    program
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '')
      .join('\n');
  const healthy = (address: string) =>
    expect.poll(() => made.health(address), { timeout: 60_000, interval: 100 }).toBe(0);

  it('runs as a user without a home on a read-only file system, and exits with 0 at SIGTERM', async () => {
    const metrics = await freePort();
    const { program, url, sandboxUrl } = await started({ METRICS_PORT: String(metrics) });
    await healthy(`${url}/readyz`);
    expect(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()).toContain('# TYPE');
    expect((await fetch(url)).status).toBe(200);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(url)).text())![1]!;
    expect((await fetch(url + script)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(sandboxUrl)).status).toBe(200);
    const before = performance.now();
    expect(await program.end()).toBe(0);
    expect(performance.now() - before).toBeLessThan(5000);
    expect(program.printed()).toContain('"why":"SIGTERM was received","msg":"ending"');
  });

  it('runs the sandbox alone', async () => {
    const { program, sandboxUrl } = await started({}, ['dist/server/sandbox.js']);
    await healthy(sandboxUrl);
    expect(await program.end()).toBe(0);
  });

  it('fails its health check if nothing listens, and not while the service does not respond', async () => {
    expect(await made.health(`http://127.0.0.1:${await freePort()}/readyz`)).toBe(1);
    const { program, url } = await started(liveEnvironment(`http://127.0.0.1:${await freePort()}`));
    await healthy(`${url}/healthz`);
    expect(await made.health(`${url}/readyz`)).toBe(0);
    const readiness = async () => (await fetch(`${url}/readyz`)).json() as Promise<unknown>;
    await expect.poll(readiness, { timeout: 10_000 }).toMatchObject({ store: true, upstream: false });
    expect(await program.end()).toBe(0);
  });

  it.each(['users', 'backup', 'copy-store', 'change-key'])('runs the operator’s command %s', async (name) => {
    const { program } = await started({}, ['scripts/start.mjs', name, '--help']);
    expect(await program.ended).toBe(2);
    expect(program.printed()).toMatch(new RegExp(`^Usage: npm run ${name}`));
  });

  it('refuses to listen on all addresses without sign-in', async () => {
    const { program } = await started({ HOST: image.env['HOST']! });
    expect(await program.ended).toBe(1);
    expect(sentencesOf(program)).toMatch(/^HOST is "0\.0\.0\.0": give 127\.0\.0\.1, or have users sign in/);
  });

  it('names a data folder that it cannot write', async () => {
    const { program } = await started({ DATA_DIR: `${made.folder}/data` });
    expect(await program.ended).toBe(1);
    expect(sentencesOf(program)).toMatch(/^DATA_DIR is ".+": .+ give a folder that this user may write\.$/m);
  });
});
