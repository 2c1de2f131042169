/**
 * Writes what the product is made of: dist/sbom.json (CycloneDX) and dist/THIRD-PARTY-NOTICES.txt with the licences. Both
 * name what package-lock.json installs without development, and are the same for the same lock file.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const components = Object.entries(packages)
  .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
  .map(([path, each]) => ({ ...each, path, name: path.split('node_modules/').at(-1) }))
  .sort((one, other) => (one.path < other.path ? -1 : 1));

const purlOf = (each) => `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`;

/** The hash that npm checks a package by, as CycloneDX writes it. */
function hashesOf({ integrity = '' }) {
  const [, bits, content = ''] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return bits === undefined ? [] : [{ alg: `SHA-${bits}`, content: Buffer.from(content, 'base64').toString('hex') }];
}

/** A licence, or an expression of several. */
const licensesOf = ({ license }) =>
  / (AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      'bom-ref': `pkg:npm/${name}@${version}`,
      type: 'application',
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
    },
  },
  components: components.map((each) => ({
    'bom-ref': `${purlOf(each)}#${each.path}`,
    type: 'library',
    name: each.name,
    version: each.version,
    purl: purlOf(each),
    licenses: licensesOf(each),
    hashes: hashesOf(each),
    scope: each.optional ? 'optional' : 'required',
  })),
};

/** The texts of the licences beside a package; it is not installed if it is for another platform. */
function textsOf({ path }) {
  const files = existsSync(path) ? readdirSync(path).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)) : [];
  const texts = files.sort().map((file) => readFileSync(join(path, file), 'utf8').trim());
  return texts.length > 0 ? texts.join('\n\n') : 'Its package has no text of the licence.';
}

const notices = components.map(
  (each) => `${'='.repeat(80)}\n${each.name} ${each.version} (${each.license})\n\n${textsOf(each)}\n`,
);

writeFileSync('dist/sbom.json', `${JSON.stringify(sbom, undefined, 2)}\n`);
writeFileSync(
  'dist/THIRD-PARTY-NOTICES.txt',
  `What ${name} ${version} is built from and with, by other authors.\n\n${notices.join('\n')}`,
);
