import { calls, type CallName } from '#contract/calls.ts';
import { programPath } from '#contract/programs.ts';
import { fileFormats } from '#server/sandbox/catalogue/fileFormats/index.ts';
import { providers } from '#server/sandbox/catalogue/providers/index.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import type { Exchange } from './line.ts';

/** The calls that exist to give a secret. */
const givers: readonly CallName[] = [
  'createOrganisation',
  'revealSigningKey',
  'getToken',
  'makeProgramToken',
  'getPrograms',
];

const isGiver = ({ method, path }: Pick<Exchange, 'method' | 'path'>): boolean =>
  path.startsWith(programPath) || givers.some((name) => calls[name].method === method && calls[name].path === path);

/** The members of the service's answers, and of the console's, whose value is a secret. */
const secretMembers = /"(primarySigningKey|secondarySigningKey|jwt|access_token|token)":"([^"]{16,})"/g;

const { apiKey, signingKey, webhookSecret, webhookHeader, resetToken } = sandboxCredentials;
/** Those of the configuration, which no call gives. */
const configured = { apiKey, signingKey, webhookSecret, resetToken, webhookKey: webhookHeader.value };

/** The secrets that there are in a world, with what each is. */
export function secretsOf(calls: RecordedApplication['calls'], exchanges: readonly Exchange[]): Map<string, string> {
  const secrets = new Map(Object.entries(configured).map(([name, value]) => [value, name]));
  const texts = [...calls.map(({ response }) => response.body), ...exchanges.filter(isGiver).map(({ text }) => text)];
  for (const text of texts)
    for (const [, name = '', value = ''] of text.matchAll(secretMembers)) secrets.set(value, name);
  return secrets;
}

/** Returns the answers and log lines that have a secret, a sentence each. */
export function leaks(
  secrets: ReadonlyMap<string, string>,
  exchanges: readonly Exchange[],
  log: readonly string[],
): string[] {
  const in_ = (text: string) => [...secrets].filter(([secret]) => text.includes(secret)).map(([, name]) => name);
  const wrong = exchanges
    .filter((each) => !isGiver(each))
    .flatMap(({ who, method, path, text }) =>
      in_(text).map((name) => `The answer to ${method} ${path} gives ${who} a secret: ${name}.`),
    );
  return [...wrong, ...in_(log.join('\n')).map((name) => `The log has a secret: ${name}.`)];
}

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const idsIn = (text: string): Set<string> => new Set(text.match(ids));

/** The nil and the max UUID, which are nobody's (RFC 9562, sections 5.9 and 5.10): patterns in the API's description name them. */
const nobodys = ['0', 'f'].map((digit) => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-'));

/** Those of the service's definitions, and what is no id of a record. */
const everybodys = idsIn(JSON.stringify([providers, fileFormats, nobodys]));

/**
 * Returns the ids that users of different workspaces both read without having sent them, a sentence each; not those
 * that the service itself has told the wrong one (`mistold`).
 */
export function sharedBetweenWorkspaces(exchanges: readonly Exchange[], mistold: ReadonlySet<string>): string[] {
  const readers = new Map<string, { workspace: string; where: string }>();
  const sent = new Set<string>();
  const wrong: string[] = [];
  for (const { workspace, who, method, path, body, text } of exchanges) {
    for (const id of idsIn(body + path)) sent.add(`${workspace} ${id}`);
    for (const id of idsIn(text)) {
      if (everybodys.has(id) || mistold.has(id) || sent.has(`${workspace} ${id}`)) continue;
      const where = `${who} (${method} ${path})`;
      const first = readers.get(id);
      if (!first) readers.set(id, { workspace, where });
      else if (first.workspace !== workspace) wrong.push(`The id ${id} is read by ${first.where} and by ${where}.`);
    }
  }
  return wrong;
}
