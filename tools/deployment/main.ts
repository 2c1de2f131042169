/** Lints the Containerfile and compose.yaml as others have published rules for them. Ends with 1 if one complains. */
import { readFileSync } from 'node:fs';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';

/** Orders that nobody is helped by: services stand in the order in which they depend on each other. */
const orders = ['services-alphabetical', 'service-keys', 'top-level-properties'];

function containerfile(): string[] {
  const found = validate(readFileSync('Containerfile', 'utf8'));
  return found.map(({ range, message }) => `Containerfile:${range.start.line + 1}: ${message}`);
}

function compose(): string[] {
  const file = 'deploy/compose.yaml';
  const rules = Object.fromEntries(orders.map((name) => [`${name}-order`, 0 as const]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  return linter
    .lintFiles([file], false)
    .flatMap(({ messages }) => messages.map(({ line, message }) => `${file}:${line}: ${message}`));
}

const complaints = [...containerfile(), ...compose()];
for (const complaint of complaints) console.error(complaint);
console.log(`Containerfile and compose.yaml: ${complaints.length} complaints`);
if (complaints.length > 0) process.exitCode = 1;
