import { z } from 'zod';
import { parseAllowed } from '#server/auth/allowed.ts';
import { defaultScope } from '#server/auth/config.ts';
import { isLoopback } from '#server/http/networks.ts';
import { includesEverybody, isNetwork } from '#server/http/networks.ts';
import { isException, isProxy } from '#server/http/outgoingProxy.ts';
import { faultOf, isSharedUrl } from '#server/storage/databaseUrl.ts';
import { keyFrom, keyPattern } from '#server/storage/keys.ts';
import { logFormats } from './complain.ts';
import { wrongSecret } from '#server/upstream/webhookSignature.ts';

const port = () => {
  const error = 'give a port number from 0 to 65535, 0 for any free one';
  return z.coerce.number({ error }).int({ error }).min(0, { error }).max(65535, { error });
};
const count = (what: string, most: number, least = 1) => {
  const error = `give a whole number of ${what} from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};
const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
/** Whether what is sent to a URL cannot be read on the way. */
const isSafe = (url: string): boolean =>
  isHttp(url) && (new URL(url).protocol === 'https:' || isLoopback(new URL(url).hostname));
/** Parses a URL of the sandbox or to which the sandbox sends: what it holds was typed for trying things out. */
const address = (example: string) =>
  z.url({ protocol: /^https?$/, abort: true, error: `give an address such as ${example}` });
/** Parses an HTTPS URL, or an HTTP URL on this machine: codes, tokens, keys and cookies are sent to it. */
const safeAddress = (example: string) => {
  const error = `give an address such as ${example}, http: only on this machine`;
  return z.url({ protocol: /^https?$/, abort: true, error }).refine(isSafe, { error, abort: true });
};
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
/** Parses the URL of the live service or its logins; returns it without slashes at its end. */
const serviceAddress = (example: string) => safeAddress(example).transform(withoutSlash);
/** Parses a URL of this kind without a path; returns its origin. */
const origin = (kind: typeof address | typeof safeAddress, example: string) =>
  kind(example)
    .refine(
      (url) => new URL(url).href === `${new URL(url).origin}/`,
      `give an address without a path, such as ${example}`,
    )
    .transform((url) => new URL(url).origin);
const publicUrl = () => origin(safeAddress, 'https://console.example.com');
const value = (what: string) => z.string({ error: `give ${what}` });
const storeKey = () =>
  z.string().regex(keyPattern, 'give 32 bytes in Base64, as openssl rand -base64 32 prints them').transform(keyFrom);
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `give one of ${values.join(', ')}` });

/** Adds an issue if the URL of a PostgreSQL database is invalid. */
function noFault(url: string, context: z.core.$RefinementCtx<string>): void {
  const fault = isSharedUrl(url) ? faultOf(url) : undefined;
  if (fault) context.addIssue({ code: 'custom', message: fault });
}

/** Parses comma-separated addresses and networks. */
const networks = () =>
  z
    .string()
    .transform((list) => list.split(',').flatMap((each) => each.trim() || []))
    .refine(
      (list) => list.every(isNetwork),
      'give addresses such as 203.0.113.7 or 203.0.113.0/24, separated by commas',
    );

/** Parses the address of a proxy, `http:` where it has no protocol; returns its URL. */
const proxy = () =>
  z.string().transform((text, context) => {
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    if (isProxy(url)) return url;
    context.addIssue(
      'give the address of an HTTP proxy, such as http://proxy.example.com:3128, perhaps with user:password@ before the host, where @ : / ? # % are encoded, %40 for @',
    );
    return z.NEVER;
  });

/** Parses hosts that are reached without a proxy, separated by commas or white space. */
const exceptions = () =>
  z
    .string()
    .transform((list) => list.split(/[,\s]+/).filter(Boolean))
    .superRefine((list, context) => {
      for (const wrong of list.filter((each) => !isException(each)))
        context.addIssue(
          `${JSON.stringify(wrong)} is none of a host such as example.com, which includes all below it, an address or network such as 10.0.0.0/8, each perhaps with a port, or *; separate them by commas`,
        );
    })
    .default([]);

/** Parses headers as OpenTelemetry writes them: `name=value` separated by commas, values percent-encoded. */
const headerList = () =>
  z.string().transform((list, context) => {
    const pairs = list.split(',').flatMap((each) => each.trim() || []);
    const read = pairs.map((pair) => /^([!#$%&'*+.^_`|~0-9a-zA-Z-]+)=(.*)$/s.exec(pair));
    try {
      return Object.fromEntries(read.map((found) => [found![1]!, decodeURIComponent(found![2]!.trim())])); // else it throws
    } catch {
      context.addIssue('give headers such as authorization=Bearer%20token, separated by commas');
      return z.NEVER;
    }
  });

/** Parses the address of an OpenTelemetry collector; returns the URL of traces, for which the protocol appends a path. */
const collector = () =>
  address('http://collector.internal:4318')
    .refine(
      (url) => !/\/v1\/(traces|metrics|logs)\/*$/i.test(new URL(url).pathname),
      'give the address without /v1/traces, which is appended; OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is used as it is',
    )
    .transform((text) => {
      const url = new URL(text);
      url.pathname = `${withoutSlash(url.pathname)}/v1/traces`;
      return url.href;
    });

/** Variables that apply with the sandbox and with the live service. */
export const always = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port().default(3000),
    SANDBOX_HOST: z.string().default('127.0.0.1'),
    SANDBOX_PORT: port().optional(),
    SANDBOX_SECRET: z.string().min(16, 'give 16 characters or more').optional(),
    SANDBOX_SEED: z.coerce.number('give a whole number').int('give a whole number').optional(),
    SANDBOX_EVERY_DAY: oneOf(['true', 'false'])
      .optional()
      .transform((given) => given && given === 'true'),
    SANDBOX_URL: origin(address, 'http://sandbox.internal:3001').optional(),
    SANDBOX_PUBLIC_URL: origin(safeAddress, 'https://sandbox.example.com').optional(),
    WEBHOOK_URL: address('https://console.example.com/notifications').transform(withoutSlash).optional(),
    DATA_DIR: z.string().default('.data'),
    SANDBOX_STORE_URL: z
      .string()
      .refine(
        isSharedUrl,
        'give a PostgreSQL database, such as postgres://user:password@host/sandbox, or leave it out to keep a file in DATA_DIR',
      )
      .superRefine(noFault)
      .optional(),
    STORE_URL: z
      .string()
      .refine(
        (url) => /^file:./.test(url) || isSharedUrl(url),
        'give file: and the path of an SQLite file, such as file:.data/console.sqlite, or a PostgreSQL database, such as postgres://user:password@host/console',
      )
      .superRefine(noFault)
      .optional(),
    ACCEPT_STORE: oneOf(['true', 'false'])
      .default('false')
      .transform((given) => given === 'true'),
    STORE_KEY: storeKey().optional(),
    STORE_KEY_PREVIOUS: storeKey().optional(),
    ALLOWED_HOSTS: z.string().default(''),
    TRUSTED_PROXIES: networks()
      .refine((list) => !includesEverybody(list), 'name the proxies: every client could choose its address otherwise')
      .default([]),
    RATE_LIMIT: count('requests a second', 100_000).default(100),
    MAX_CONNECTIONS: count('connections', 100_000).default(1000),
    TIMELINE_ENTRIES: count('entries', 10_000, 0).default(1000),
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: port().optional(),
    LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector().optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address('http://collector.internal:4318/v1/traces').optional(),
    OTEL_EXPORTER_OTLP_HEADERS: headerList().default({}),
    OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
    LOG_FORMAT: oneOf(logFormats).optional(),
    DRAIN_TIME: count('seconds', 300, 0).optional(),
    UPSTREAM: oneOf(['sandbox', 'live']).default('sandbox'),
    HTTPS_PROXY: proxy().optional(),
    HTTP_PROXY: proxy().optional(),
    NO_PROXY: exceptions(),
  })
  .refine(({ STORE_KEY, STORE_KEY_PREVIOUS }) => STORE_KEY !== undefined || STORE_KEY_PREVIOUS === undefined, {
    path: ['STORE_KEY'],
    error: 'give it beside STORE_KEY_PREVIOUS, or neither',
  })
  .refine(({ SANDBOX_URL, SANDBOX_SECRET }) => SANDBOX_URL === undefined || SANDBOX_SECRET !== undefined, {
    path: ['SANDBOX_SECRET'],
    error: 'give the sandbox at SANDBOX_URL and all its consoles the same one, from which each makes the credentials',
  });

/** Variables for signing in; all must be given or none. */
export const onlyAccess = z.object({
  OIDC_ISSUER: safeAddress('https://login.example.com'),
  OIDC_CLIENT_ID: value('the client id that the OpenID Connect provider knows the console by'),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .regex(/^(.* )?openid( .*)?$/, `give ${defaultScope}, perhaps with offline_access`)
    .optional(),
  OIDC_ALLOWED: z
    .string()
    .transform((text, context) => {
      try {
        return parseAllowed(text);
      } catch (error) {
        context.addIssue((error as Error).message); // of parseAllowed
        return z.NEVER;
      }
    })
    .optional(),
  PUBLIC_URL: publicUrl(),
});

/** Variables that the sandbox alone needs about the console: the URL to which its logins return. */
export const onlySandbox = z.object({ PUBLIC_URL: publicUrl().optional() });

/** Parses comma-separated URLs; returns their origins. */
const origins = (example: string) =>
  z
    .string()
    .default('')
    .transform((list, context) => {
      const addresses = list.split(',').flatMap((each) => each.trim() || []);
      if (!addresses.every(isSafe))
        context.addIssue({
          code: 'custom',
          message: `give addresses such as ${example}, separated by commas, http: only on this machine`,
        });
      return addresses.flatMap((each) => (URL.canParse(each) ? new URL(each).origin : []));
    });

/** Variables of the live service. */
export const onlyLive = z
  .object({
    UPSTREAM_URL: serviceAddress('https://api-payout.sage.com'),
    UPSTREAM_MESSAGING_URL: serviceAddress('https://api-payout.sage.com').optional(),
    UPSTREAM_NETWORK_URL: serviceAddress('https://network.example.com').optional(),
    UPSTREAM_AUTH_URL: serviceAddress('https://api-money.sage.com'),
    PAYMENT_FILE_ORIGINS: origins('https://files.example.com'),
    UPSTREAM_APPLICATION_ID: value('the application id agreed at registration, such as sage.fr.accounts'),
    UPSTREAM_API_KEY: value('the API key given at registration'),
    UPSTREAM_SIGNING_KEY: value("the application's signing key given at registration"),
    IDENTITY_PROVIDER_URL: serviceAddress('https://id.example.com'),
    IDENTITY_CLIENT_ID: value('the client id that the identity provider knows the console by'),
    PROVIDER_URL: serviceAddress('https://provider.example.com'),
    PROVIDER_ORIGINS: origins('https://bank.example.com'),
    TRANSFER_URL: serviceAddress('https://transfer.example.com/request'),
    WEBHOOK_SECRET: z
      .string()
      .superRefine((secret, context) => {
        const wrong = wrongSecret(secret);
        if (wrong !== '') context.addIssue(wrong);
      })
      .optional(),
    WEBHOOK_SOURCES: networks().optional(),
    WEBHOOK_HEADER_NAME: z
      .string()
      .toLowerCase()
      .regex(/^[!#$%&'*+.^_`|~0-9a-z-]+$/, 'give the name of a header, such as x-webhook-key')
      .optional(),
    WEBHOOK_HEADER_VALUE: z.string().optional(),
  })
  .refine((live) => (live.WEBHOOK_HEADER_NAME === undefined) === (live.WEBHOOK_HEADER_VALUE === undefined), {
    path: ['WEBHOOK_HEADER_NAME'],
    error: 'give WEBHOOK_HEADER_NAME and WEBHOOK_HEADER_VALUE together or neither',
  })
  .refine((live) => live.WEBHOOK_SECRET !== undefined || live.WEBHOOK_HEADER_NAME !== undefined, {
    path: ['WEBHOOK_SECRET'],
    error:
      'give the secret that webhooks are signed with, or WEBHOOK_HEADER_NAME and WEBHOOK_HEADER_VALUE, or all three: anybody could send webhooks otherwise',
    when: () => true,
  });

/** Variables whose values are never shown. */
export const secrets = [
  'SANDBOX_SECRET',
  'OIDC_CLIENT_SECRET',
  'STORE_URL',
  'SANDBOX_STORE_URL',
  'STORE_KEY',
  'STORE_KEY_PREVIOUS',
  'UPSTREAM_API_KEY',
  'UPSTREAM_SIGNING_KEY',
  'WEBHOOK_SECRET',
  'WEBHOOK_HEADER_VALUE',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'HTTPS_PROXY',
  'HTTP_PROXY',
];
