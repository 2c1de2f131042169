import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { promisify } from 'node:util';
import { installed } from '../../scripts/packed.mjs';
import { runStep, stages, type Stage } from './containerfile.ts';

/** A user without a home, a name or a file of its own; tests that are not run by root stay who they are. */
const nobody = getuid?.() === 0 ? { uid: 59_999, gid: 59_999 } : {};

/** What the image would hold, in a folder, and how its programs are run. */
export interface Image {
  /** The stage that the image is made from. */
  stage: Stage;
  /** Stands for `/`; nobody may write there. */
  folder: string;
  node: string;
  /** Runs a program of the image: its entrypoint with these arguments. */
  start(env: Readonly<Record<string, string>>, command?: readonly string[]): Running;
  /** The exit code of the health check's command for the address. */
  health(address: string): Promise<number>;
  /** A new folder that the programs' user may write. */
  data(): string;
  remove(): void;
}

interface Running {
  /** What it has printed so far. */
  printed(): string;
  /** Sends a signal and resolves with the exit code; null if a signal ended it. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

function readOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w', folder]);
}

/** The folders of the packages that the server needs. */
function packages(): string[] {
  const selector = installed.flatMap((name) => [`#${name}`, `#${name} *`]).join(', ');
  const found = execFileSync('npm', ['query', selector], { encoding: 'utf8' });
  return (JSON.parse(found) as { location: string }[]).map(({ location }) => location); // npm's format
}

/** Stands for the build: what `npm run build` has left here, and the packages that the server needs. */
function buildFromHere(folder: string): void {
  const app = join(folder, 'app');
  mkdirSync(join(app, 'data'), { recursive: true });
  const paths = [
    'dist/page',
    'dist/server',
    'dist/sbom.json',
    'dist/THIRD-PARTY-NOTICES.txt',
    ...packages(),
    'dist/packedManifest.json',
  ];
  // Ten times as fast as node's own copying of ten thousand files.
  execFileSync('sh', ['-c', 'to=$1; shift; tar -cf - "$@" | tar -xf - -C "$to"', 'sh', app, ...paths]);
  copyFileSync('dist/packedManifest.json', join(app, 'package.json'));
}

/**
 * Makes the image's files in a new folder: the Containerfile's steps in their order, without a container engine. `node` is
 * the folder of the programs that stand for those of the base image; without it the build is taken from this folder.
 */
export function makeImage(node?: string): Image {
  const root = mkdtempSync(join(tmpdir(), 'image-'));
  chmodSync(root, 0o755);
  // The machine's own, because it says how npm reaches its registry.
  const env = { ...process.env, PATH: `${node ?? dirname(process.execPath)}:${process.env['PATH']}` };
  for (const name of ['NODE_ENV', 'NODE_OPTIONS']) Reflect.deleteProperty(env, name);
  const all = stages();
  const folderOf = (name: string | undefined) =>
    name === undefined ? process.cwd() : join(root, String(all.findIndex((each) => each.name === name)));
  for (const [index, stage] of all.entries()) {
    const folder = join(root, String(index));
    if (stage.name === 'build' && node === undefined) buildFromHere(folder);
    else for (const step of stage.steps) runStep(stage, step, folder, { folderOf, env });
  }
  const stage = all.at(-1)!; // the linter insists on one
  const folder = join(root, String(all.length - 1));
  readOnly(folder);
  const program = join(node ?? dirname(process.execPath), 'node');
  const cwd = join(folder, stage.workdir);
  const [entrypoint, ...first] = stage.entrypoint ?? [];
  if (entrypoint !== 'node') throw new Error('The entrypoint is not node');

  return {
    stage,
    folder,
    node: program,
    start(more, command = stage.command ?? []) {
      const child = spawn(program, [...first, ...command], {
        cwd,
        ...nobody,
        env: { ...stage.env, HOME: '/nonexistent', ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return running(child);
    },
    async health(address) {
      const [name, ...rest] = (stage.health ?? []).map((word) => (/^https?:/.test(word) ? address : word));
      if (name !== 'node') throw new Error('The health check is not run by node');
      return promisify(execFile)(program, rest, { cwd, ...nobody, env: { ...stage.env } }).then(
        () => 0,
        ({ code }: { code: number }) => code, // of execFile
      );
    },
    data() {
      const data = mkdtempSync(join(root, 'data-'));
      if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid);
      return data;
    },
    remove() {
      execFileSync('chmod', ['-R', 'u+w', root]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function running(child: ChildProcess): Running {
  let printed = '';
  const keep = (chunk: Buffer) => (printed += chunk.toString());
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', kill);
    return code as number | null; // node's argument of 'close'
  });
  return {
    printed: () => printed,
    ended,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
