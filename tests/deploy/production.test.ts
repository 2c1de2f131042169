import { randomBytes } from 'node:crypto';
import { execFileSync, spawnSync, execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments, parse } from 'yaml';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { parseConfig, variableNames } from '#server/config/config.ts';
import { healthPaths } from '#server/http/paths.ts';
import { version } from '#server/version.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { systemClock as clock } from '#server/clock.ts';
import { openSandboxStore } from '#server/sandbox/store/sandboxStore.ts';
import { startPostgres, statement } from '#tests/support/postgres.ts';
import { createPrometheus } from '#server/ops/prometheus.ts';
import { readOpenMetrics } from '#tests/support/openMetrics.ts';
import { stages } from './containerfile.ts';

interface Probe {
  httpGet: { path: string; port: string; httpHeaders: readonly { name: string; value: string }[] };
}
interface Container {
  image: string;
  env: readonly { name: string; value: string }[];
  livenessProbe: Probe;
  readinessProbe: Probe;
  startupProbe: Probe;
}
interface Deployment {
  kind: string;
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        enableServiceLinks: boolean;
        containers: readonly [Container];
      };
    };
  };
}

/** Time (s) that a console takes at most from SIGTERM to its end, as docs/monitoring.md says. */
const stopTime = 125;

const manifests = parseAllDocuments(readFileSync('deploy/kubernetes.yaml', 'utf8')).map(
  (each) => each.toJS() as Deployment,
);
const pod = manifests.find(({ kind }) => kind === 'Deployment')!.spec.template.spec;
const [console] = pod.containers;

/** Values of the files that the Secret holds, by the ends of their variables' names. */
const secrets: Readonly<Record<string, string>> = {
  STORE_URL: 'postgres://console:password@db.example.com/console?sslmode=verify-full',
  STORE_KEY: randomBytes(32).toString('base64'),
  WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
};

describe('kubernetes.yaml', () => {
  it('gives the console an environment that it accepts, with every secret in a file', () => {
    const folder = temporaryFolder();
    const environment = Object.fromEntries(
      console.env.map(({ name, value }) => {
        if (!name.endsWith('_FILE')) return [name, value];
        const file = join(folder, name);
        writeFileSync(file, secrets[name.replace('_FILE', '')] ?? 'a secret');
        return [name, file];
      }),
    );
    expect(Object.keys(environment).filter((name) => !variableNames.includes(name))).toEqual([]);
    expect(Object.keys(environment).filter((name) => /(KEY|SECRET)$/.test(name))).toEqual([]);
    const config = parseConfig({ HOST: '0.0.0.0', PORT: '3000', DATA_DIR: '/data', ...environment });
    expect(config).toMatchObject({ access: { clientSecret: 'a secret' }, live: { signingKey: 'a secret' } });
  });

  it('probes the paths of health by a name that every console accepts, and runs the image of this version', () => {
    const paths = [console.livenessProbe, console.readinessProbe, console.startupProbe].map(({ httpGet }) => {
      expect(httpGet.httpHeaders).toEqual([{ name: 'Host', value: 'localhost' }]);
      return httpGet.path;
    });
    expect(paths).toEqual(['/healthz', '/readyz', '/readyz']);
    expect(paths.filter((path) => !healthPaths.includes(path))).toEqual([]);
    expect(console.image).toBe(`payments-out-console:${version}`);
  });

  it('has Kubernetes add no variables for Services, whose names may be the console’s', () => {
    expect(pod.enableServiceLinks).toBe(false);
  });

  it('waits longer than a console takes to end', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stopTime);
  });
});

describe('The unit of systemd', () => {
  const unit = readFileSync('deploy/payments-out-console.service', 'utf8');
  const of = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!); // in every match

  it('runs the built server, whose package carries it, with variables that exist, and waits for its end', () => {
    const [program] = of('ExecStart').map((line) => line.split('/node_modules/payments-out-console/')[1]);
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
    expect(files.some((file) => program?.startsWith(`${file}/`))).toBe(true);
    const names = of('Environment').flatMap((line) => line.split(' ').map((each) => each.split('=')[0]!));
    expect(names.filter((name) => name !== 'NODE_ENV' && !variableNames.includes(name))).toEqual([]);
    expect(Number(of('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(stopTime);
  });

  it.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)('passes systemd’s own check', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'units'));
    const file = join(folder, 'units/payments-out-console.service');
    // The program need not be installed here.
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const printed = execFileSync('sh', ['-c', 'systemd-analyze verify --man=no "$1" 2>&1 || true', 'sh', file], {
      encoding: 'utf8',
    });
    expect(printed.split('\n').filter((line) => line.includes('payments-out-console.service'))).toEqual([]);
  });
});

const run = promisify(execFile);
const isInstalled = await run('psql', ['--version']).then(
  () => true,
  () => false,
);

it.skipIf(!isInstalled)(
  'sandbox.sql creates a database for the sandbox, whose user cannot open other databases',
  { timeout: 60_000 },
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.end(), 60_000);
    await statement(server.url, 'create database console');
    const password = "it's a password";
    const options = ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--file=deploy/sandbox.sql', `--dbname=${server.url}`];
    await run('psql', options, { env: { ...process.env, SANDBOX_POSTGRES_PASSWORD: password } });
    const own = new URL(server.url);
    Object.assign(own, { username: 'sandbox', password: encodeURIComponent(password), pathname: '/sandbox' });
    const store = await openSandboxStore(own.href, { clock, log: pino({ level: 'silent' }) });
    await store.close();
    own.pathname = '/console';
    await expect(statement(own.href, 'select 1')).rejects.toThrow('permission denied for database "console"');
  },
);

const read = (file: string): string => readFileSync(file, 'utf8');
const manifest = JSON.parse(read('package.json')) as { files: string[]; scripts: Record<string, string> }; // has both

/** The documents of operators, who have the image or the package and not the sources. */
const documents = ['docs/operating.md', 'docs/production.md', 'deploy/README.md'];

/** Commands that only the sources have. */
const ofDevelopers = ['sandbox', 'test:all', 'test', 'try', 'bench', 'build', 'package'];

const named = [
  ...new Set(
    documents.flatMap((file) => [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)), // in every match
  ),
].filter((name) => !ofDevelopers.includes(name));

const copied = stages()
  .at(-1)!
  .steps.flatMap((step) => (step.kind === 'copy' ? step.sources : []))
  .map((source) => source.replace('/app/', ''));

/** A script of the project and those that it imports, by their paths. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  // Judging programs is for those who write them.
  for (const [, name] of read(file).matchAll(/(?:from |import |import\()'\.\/([\w.]+\.mjs)'/g))
    if (name !== 'verify.mjs') withImports(`scripts/${name}`, known);
  return known;
}

describe('A command that the operator’s documents name', () => {
  it('exists, among them those for backup, key and copy', () => {
    expect(named).toEqual(expect.arrayContaining(['backup', 'copy-store', 'change-key']));
    expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });

  it.each(named)('is run by the package and by the image: %s', (name) => {
    expect(manifest.scripts[name]).toBe(`node scripts/start.mjs ${name}`);
    for (const file of withImports('scripts/start.mjs')) {
      expect(manifest.files, 'files of package.json').toContain(file);
      expect(copied, 'Containerfile').toContain(file);
    }
    const [, built] = new RegExp(`['"]?${name}['"]?: '(\\w+)'`).exec(read('scripts/start.mjs')) ?? [];
    expect(read('vite.config.ts')).toContain(`${built}: 'server/ops/`);
    for (const folder of ['dist/server', 'node_modules']) expect(copied).toContain(folder);
  });
});

describe('The proxy’s configuration', () => {
  it('passes on the host with its port, so that any public port works', () => {
    const hosts = [...read('deploy/nginx.conf').matchAll(/proxy_set_header Host ([^;]+);/g)].map(([, value]) => value);
    expect(hosts).toEqual(['$http_host']);
    expect(read('deploy/nginx.conf')).not.toMatch(/\$host\b/);
  });
});

const textOf = (name: string): unknown => parse(readFileSync(name, 'utf8'));
const names = /\b(?:console|process|nodejs)_[a-z_]+/g;

const given = [...readOpenMetrics(await createPrometheus().openMetrics())].map(([name, { type }]) =>
  type === 'counter' ? `${name}_total` : name,
);

describe('The examples for Prometheus', () => {
  it('name metrics that the console has', () => {
    const { groups } = textOf('deploy/alerts.yml') as { groups: { rules: { alert: string; expr: string }[] }[] };
    const rules = groups.flatMap(({ rules }) => rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const { alert, expr } of rules)
      expect(
        [...expr.matchAll(names)].map(([name]) => name).filter((name) => !given.includes(name)),
        alert,
      ).toEqual([]);
  });

  it('scrape the metrics ports of the consoles in compose.yaml', () => {
    const compose = textOf('deploy/compose.yaml') as Record<string, { environment: Record<string, unknown> }> & {
      services: Record<string, unknown>;
    };
    const { scrape_configs: jobs } = textOf('deploy/prometheus.yml') as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const port = String(compose['x-console']!.environment['METRICS_PORT']);
    const consoles = Object.keys(compose.services).filter((name) => name.startsWith('console-'));
    const targets = jobs.flatMap((job) => job.static_configs.flatMap((each) => each.targets));
    expect(targets).toEqual(consoles.map((name) => `${name}:${port}`));
  });

  it('stand beside a table of all metrics in docs/monitoring.md', () => {
    const text = readFileSync('docs/monitoring.md', 'utf8');
    expect(given.filter((name) => name.startsWith('console_') && !text.includes(`\`${name}\``))).toEqual([]);
  });
});
