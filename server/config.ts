import { join } from 'node:path';
import { z } from 'zod';
import type { KeyObject } from 'node:crypto';
import { keyFrom, keyPattern } from './store/keys.ts';
import type { UpstreamConfig } from './upstream/config.ts';

export interface Config {
  host: string;
  port: number;
  sandboxPort: number;
  dataDir: string;
  storeUrl: string;
  /** What the store is sealed with, the current key first; empty: the key file in the data folder. */
  storeKeys: readonly KeyObject[];
  /** Host names that a request may be addressed to, besides those of this machine itself. */
  allowedHosts: readonly string[];
  logLevel: string;
  /** Absent: the embedded sandbox, whose address is known once it listens. */
  live?: UpstreamConfig;
}

const port = () => {
  const error = 'give a port number from 0 to 65535, 0 for any free one';
  return z.coerce.number({ error }).int({ error }).min(0, { error }).max(65535, { error });
};
const address = (example: string) =>
  z
    .url({ protocol: /^https?$/, error: `give an address such as ${example}` })
    .transform((url) => url.replace(/\/+$/, ''));
const value = (what: string) => z.string({ error: `give ${what}` });
const storeKey = () =>
  z.string().regex(keyPattern, 'give 32 bytes in Base64, as openssl rand -base64 32 prints them').transform(keyFrom);
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `give one of ${values.join(', ')}` });

const always = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port().default(3000),
    SANDBOX_PORT: port().optional(),
    DATA_DIR: z.string().default('.data'),
    STORE_URL: z
      .string()
      .regex(/^file:./, 'give file: and the path of an SQLite file, such as file:.data/console.sqlite')
      .optional(),
    STORE_KEY: storeKey().optional(),
    STORE_KEY_PREVIOUS: storeKey().optional(),
    ALLOWED_HOSTS: z.string().default(''),
    LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
    UPSTREAM: oneOf(['sandbox', 'live']).default('sandbox'),
  })
  .refine(({ STORE_KEY, STORE_KEY_PREVIOUS }) => STORE_KEY !== undefined || STORE_KEY_PREVIOUS === undefined, {
    path: ['STORE_KEY'],
    error: 'give it beside STORE_KEY_PREVIOUS, or neither',
  });

const onlyLive = z
  .object({
    UPSTREAM_URL: address('https://api-payout.sage.com'),
    UPSTREAM_AUTH_URL: address('https://api-money.sage.com'),
    UPSTREAM_APPLICATION_ID: value('the application id agreed at registration, such as sage.fr.accounts'),
    UPSTREAM_API_KEY: value('the API key given at registration'),
    UPSTREAM_SIGNING_KEY: value("the application's signing key given at registration"),
    IDENTITY_PROVIDER_URL: address('https://id.example.com'),
    IDENTITY_CLIENT_ID: value('the client id that the identity provider knows the console by'),
    PROVIDER_URL: address('https://provider.example.com'),
    TRANSFER_URL: address('https://transfer.example.com/request'),
    WEBHOOK_SECRET: value('the secret that webhooks are signed with').regex(
      /^whsec_[A-Za-z0-9+/]+={0,2}$/,
      'give whsec_ and the secret in Base64',
    ),
    WEBHOOK_HEADER_NAME: z.string().toLowerCase().optional(),
    WEBHOOK_HEADER_VALUE: z.string().optional(),
  })
  .refine((live) => (live.WEBHOOK_HEADER_NAME === undefined) === (live.WEBHOOK_HEADER_VALUE === undefined), {
    path: ['WEBHOOK_HEADER_NAME'],
    error: 'give WEBHOOK_HEADER_NAME and WEBHOOK_HEADER_VALUE together or neither',
  });

const secrets = [
  'STORE_KEY',
  'STORE_KEY_PREVIOUS',
  'UPSTREAM_API_KEY',
  'UPSTREAM_SIGNING_KEY',
  'WEBHOOK_SECRET',
  'WEBHOOK_HEADER_VALUE',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment: a sentence for each variable, with its name and what would be right. */
export class ConfigError extends Error {
  readonly sentences: readonly string[];

  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigError';
    this.sentences = sentences;
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue, environment: Environment): string {
  const name = String(path[0]);
  const found = environment[name];
  const is = !found ? 'is missing' : secrets.includes(name) ? 'is wrong' : `is ${JSON.stringify(found)}`;
  return `${name} ${is}: ${message}.`;
}

/** Reads the configuration from environment variables; empty ones count as absent. Throws ConfigError. */
export function parseConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''));
  const common = always.safeParse(given);
  const live = given['UPSTREAM'] === 'live' ? onlyLive.safeParse(given) : undefined;
  const issues = [...(common.error?.issues ?? []), ...(live?.error?.issues ?? [])];
  if (!common.success || issues.length > 0) throw new ConfigError(issues.map((issue) => sentenceOf(issue, given)));

  const { HOST, PORT, SANDBOX_PORT, DATA_DIR, STORE_URL, STORE_KEY, STORE_KEY_PREVIOUS, ALLOWED_HOSTS, LOG_LEVEL } =
    common.data;
  return {
    host: HOST,
    port: PORT,
    sandboxPort: SANDBOX_PORT ?? (PORT === 0 || PORT === 65535 ? 0 : PORT + 1),
    dataDir: DATA_DIR,
    storeUrl: STORE_URL ?? `file:${join(DATA_DIR, 'console.sqlite')}`,
    storeKeys: [STORE_KEY, STORE_KEY_PREVIOUS].filter((key) => key !== undefined),
    allowedHosts: [HOST, ...ALLOWED_HOSTS.split(',')].map((host) => host.trim().toLowerCase()).filter(Boolean),
    logLevel: LOG_LEVEL,
    ...(live?.data && { live: liveUpstream(live.data) }),
  };
}

function liveUpstream(live: z.output<typeof onlyLive>): UpstreamConfig {
  const { WEBHOOK_HEADER_NAME: name, WEBHOOK_HEADER_VALUE: value } = live;
  return {
    environment: 'live',
    baseUrl: live.UPSTREAM_URL,
    authUrl: live.UPSTREAM_AUTH_URL,
    applicationId: live.UPSTREAM_APPLICATION_ID,
    apiKey: live.UPSTREAM_API_KEY,
    signingKey: live.UPSTREAM_SIGNING_KEY,
    authorizeUrl: `${live.IDENTITY_PROVIDER_URL}/authorize`,
    userInfoUrl: `${live.IDENTITY_PROVIDER_URL}/userinfo`,
    clientId: live.IDENTITY_CLIENT_ID,
    providerUrl: live.PROVIDER_URL,
    transferUrl: live.TRANSFER_URL,
    webhook: { secret: live.WEBHOOK_SECRET, ...(name && value && { header: { name, value } }) },
  };
}
