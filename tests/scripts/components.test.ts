import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '#server/api/openapi.ts';
import { controlOpenApi } from '#server/sandbox/documents.ts';
import { stages } from '#tests/deploy/containerfile.ts';
import { ready } from '../../scripts/ready.mjs';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
type Manifest = { version: string; files: string[]; dependencies: Readonly<Record<string, string>> };

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses: readonly object[];
  hashes: readonly { alg: string; content: string }[];
}
interface Sbom {
  metadata: { component: { name: string; version: string } };
  components: Component[];
}

describe('what the build says it is made of', () => {
  beforeAll(ready, 240_000);

  const { version, files, dependencies } = read('package.json') as Manifest;

  it('is an SBOM in CycloneDX of the package’s version, with each package, its version, licence and hash', () => {
    const { metadata, components, ...rest } = read('dist/sbom.json') as Sbom;
    expect(rest).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(metadata.component).toMatchObject({ name: 'payments-out-console', version });
    const found = components.map((each) => `${each.name}@${each.version}`);
    for (const [name, its] of Object.entries(dependencies)) expect(found).toContain(`${name}@${its}`);
    for (const each of components) {
      expect(each.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      expect(each.licenses, each.name).toHaveLength(1);
      for (const { alg, content } of each.hashes) expect([alg, content.length]).toEqual(['SHA-512', 128]);
    }
    expect(components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
    for (const development of ['vitest', 'eslint', 'jsdom', 'playwright-core'])
      expect(components.map(({ name }) => name)).not.toContain(development);
  });

  it('are notices with the licence of each package', () => {
    const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
    for (const { name, version: its } of (read('dist/sbom.json') as Sbom).components)
      expect(notices).toContain(`\n${name} ${its} (`);
    expect(notices).toMatch(/\nreact \d\S+ \(MIT\)\n\nMIT License\n/);
  });

  it('is in the package and in the image', () => {
    const copied = stages()
      .at(-1)!
      .steps.flatMap((step) => (step.kind === 'copy' ? step.sources : []));
    for (const file of ['dist/sbom.json', 'dist/THIRD-PARTY-NOTICES.txt']) {
      expect(files).toContain(file);
      expect(copied).toContain(`/app/${file}`);
    }
  });
});

describe('the version of package.json', () => {
  it('is that of the descriptions of console and fault lab', () => {
    const { version } = read('package.json') as Manifest;
    expect([openApi().info.version, controlOpenApi().info.version]).toEqual([version, version]);
  });
});
