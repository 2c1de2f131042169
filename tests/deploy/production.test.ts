import { randomBytes } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseConfig, variableNames } from '#server/config/config.ts';
import { healthPaths } from '#server/http/paths.ts';
import { version } from '#server/version.ts';
import { temporaryFolder } from '#tests/support/store.ts';

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
