import { spawn } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, getuid, platform, arch } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Step } from './trace.ts';

/** The specification, from the folder of the project, which is Bombadil's own place to look. */
const specification = './tools/explore/specification.ts';

/** Bombadil's own executable of this machine: a signal to the package's script would not reach it. */
function executable(): string {
  const path = `tools/node_modules/@antithesishq/bombadil/binaries/bombadil-${platform}-${arch}`;
  if (!existsSync(path)) throw new Error(`Bombadil has no binary for ${platform} on ${arch}.`);
  return path;
}

/** How often the trace is looked at, and how long it may take to come to another state, in ms. */
const [often, patience] = [200, 45_000];

/** Follows a file of JSON lines: each call returns those that have been written whole since. */
function linesOf(path: string) {
  let at = 0;
  let left = '';
  return async (): Promise<string[]> => {
    if (!existsSync(path)) return [];
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - at), 0, size - at, at);
      at = size;
      const lines = (left + buffer.toString()).split('\n');
      left = lines.pop() ?? '';
      return lines;
    } finally {
      await file.close();
    }
  };
}

/** A run of Bombadil. */
export interface Run {
  url: string;
  /** The folder of what it writes: the trace, pictures of each state, and what it prints. */
  folder: string;
  chromium: string;
  /** A folder of an earlier run whose actions are repeated; null to explore. */
  replays: string | null;
  /** Is told of each state, and returns whether that is enough. */
  reached: (step: Step) => Promise<boolean>;
}

/** How a run has ended: all is done; Bombadil stood still, as it may where the browser goes to another site and back; or what is repeated came elsewhere. */
type End = 'done' | 'still' | 'elsewhere';

/** Explores until enough is reached, or what is repeated has ended. Rejects with what Bombadil printed if it fails. */
export async function bombadil({ url, folder, chromium, replays, reached }: Run): Promise<End> {
  await mkdir(folder, { recursive: true });
  const path = await mkdtemp(join(tmpdir(), 'explore-path-'));
  symlinkSync(chromium, join(path, 'chromium'));
  const child = spawn(
    executable(),
    [
      'browser',
      'test',
      url,
      specification,
      '--headless',
      '--output-path',
      folder,
      '--output-path-overwrite',
      ...(getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(replays === null ? ['--time-limit', '1d'] : ['--reproduce', replays]),
    ],
    {
      env: { ...env, TMPDIR: path, PATH: `${path}${delimiter}${env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  // With its browser, which a signal to it alone would leave behind.
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // None of its processes is left.
    }
  };
  process.once('exit', kill);
  let printed = '';
  const keep = (chunk: Buffer) => (printed += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  const lines = linesOf(join(folder, 'trace.jsonl'));
  let enough = false;
  let lately = Date.now();
  const look = async () => {
    const written = await lines();
    if (written.length > 0) lately = Date.now();
    for (const line of written) enough = (await reached(JSON.parse(line) as Step)) || enough; // Bombadil's trace
    if (enough) child.kill('SIGINT');
  };
  try {
    while (child.exitCode === null && child.signalCode === null && !enough) {
      await look();
      if (Date.now() - lately > patience) kill();
      else await wait(often);
    }
    const code = await ended;
    await look();
    await writeFile(join(folder, 'printed.log'), printed);
    // Its own patience with a page that leads elsewhere is 30 s, after which it gives up.
    if (Date.now() - lately > patience || printed.includes('navigation timed out')) return 'still';
    if (printed.includes('reproduction and original test diverged')) return 'elsewhere';
    // 2: a property is broken, which the trace says as well.
    if (!enough && code !== 0 && code !== 2) throw new Error(`Bombadil ended with ${code}:\n${printed.slice(-2000)}`);
    return 'done';
  } finally {
    process.off('exit', kill);
    kill();
    await rm(path, { recursive: true, force: true });
  }
}

/** What Bombadil printed of the first time that a property was broken. */
export async function saidOf(folder: string, property: string): Promise<string> {
  const printed = await readFile(join(folder, 'printed.log'), 'utf8');
  const [, said = ''] = printed.split(`${property} was violated:`);
  return said.trim().split('\n\n')[0] ?? '';
}
