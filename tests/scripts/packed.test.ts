import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
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

/** The files that `npm run package` packs, besides those that are built. */
function packedFiles(): Set<string> {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8', stdio: 'pipe' }); // prettier-ignore
  const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
  return new Set(files.map(({ path }) => path));
}

/** The relative links and pictures of a document, without those in blocks of code. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const found = prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"|^\[[^\]]+\]: (\S+)/gm);
  const links = [...found].map(([, inline, attribute, below]) => (inline ?? attribute ?? below ?? '').split('#')[0]!);
  return links.filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

it('every relative link in the documents of the package leads to a file or a folder of the package', () => {
  const files = packedFiles();
  const documents = [...files].filter((path) => /\.(md|txt)$/.test(path) && !path.startsWith('dist/'));
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/verify.md', 'docs/sandbox.md', 'examples/README.md'])); // prettier-ignore
  const dead = documents.flatMap((document) =>
    linksIn(readFileSync(document, 'utf8'))
      .map((link) => [link, posix.normalize(posix.join(posix.dirname(document), link))] as const)
      .filter(([, path]) => !files.has(path) && ![...files].some((file) => file.startsWith(`${path}/`)))
      .map(([link]) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});

it.each([
  ['[a](b.md#c)', ['b.md']],
  ['![a](b.png) and [c](https://example.com) and [d](#e)', ['b.png']],
  ['<img src="a.png"> [b]\n\n[b]: c/d.md', ['a.png', 'c/d.md']],
  ['```md\n[a](b.md)\n```', []],
])('the relative links in %j are %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});
