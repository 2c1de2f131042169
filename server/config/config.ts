import { isIP } from 'node:net';
import { join } from 'node:path';
import type { z } from 'zod';
import { maskSecrets } from '#contract/secretShapes.ts';
import { shapeError } from '#contract/shapeError.ts';
import type { KeyObject } from 'node:crypto';
import type { AccessConfig } from '#server/auth/config.ts';
import { isLoopback } from '#server/http/networks.ts';
import type { OutgoingProxies } from '#server/http/outgoingProxy.ts';
import { ConfigError } from './configError.ts';
import { always, onlyAccess, onlyLive, onlySandbox, secrets } from './environment.ts';
import { isOfService, meantName, withProxyNames } from './names.ts';
import { secretFileNames, withSecretFiles } from './secretFiles.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { loadEnvFile } from './envFile.ts';

export interface Config {
  host: string;
  port: number;
  /** The host on which the sandbox listens; a loopback address by default. */
  sandboxHost: string;
  sandboxPort: number;
  /** If absent, the secret is read from its file in the data folder. */
  sandboxSecret?: string;
  /** With it, a sandbox that runs alone is in memory and has the same ids and credentials each time. */
  sandboxSeed?: number;
  /** Whether the sandbox processes payments on every day; if absent, see `SandboxOptions`. */
  sandboxEveryDay?: boolean;
  /** The database of an embedded sandbox; if absent, its file in the data folder. */
  sandboxStoreUrl?: string;
  /** The URL of a sandbox that runs as a separate process; if absent, the console embeds one. */
  sandboxUrl?: string;
  /** The URL at which browsers reach the sandbox; `sandboxUrl` or that of the embedded sandbox if absent. */
  sandboxPublicUrl?: string;
  /** The URL of /notifications to which the sandbox sends its webhooks; if absent, the console's on this machine. */
  webhookUrl?: string;
  /**
   * The URL at which users visit the console and to which the sandbox's logins return; absent only if that is this
   * machine.
   */
  publicUrl?: string;
  dataDir: string;
  storeUrl: string;
  /** Keys of the store, the current one first; if empty, those in the data folder's key file are used. */
  storeKeys: readonly KeyObject[];
  /** Whether to start with the store as it is, although it lacks what was stored. */
  acceptStore: boolean;
  /** Host names accepted in requests, in addition to those of this machine. */
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded headers are trusted. */
  trustedProxies: readonly string[];
  /** Maximum number of requests per second of one user, or of one address without a user. */
  rateLimit: number;
  /** Maximum number of open connections; further ones are closed at once. */
  maxConnections: number;
  /** Maximum number of entries in the timeline of each workspace; 0 disables it. */
  timelineEntries: number;
  /** Host and port of the metrics server; absent if nothing is measured. */
  metrics?: { host: string; port: number };
  /** The URL that traces are sent to; absent if none are recorded. */
  traces?: { url: string; headers: Readonly<Record<string, string>> };
  logLevel: string;
  /** Proxies for requests to other machines; absent if there are none. */
  proxies?: OutgoingProxies;
  /** Time (ms) for which the console still serves after SIGTERM, while it tells proxies to use another server. */
  drainTime: number;
  /** If absent, there is no sign-in, and only this machine can reach the console. */
  access?: AccessConfig;
  /** Variables of the live service that are given although the sandbox is used; absent if there are none. */
  unused?: readonly string[];
  /** If absent, the embedded sandbox is used; its URL is known only once it listens. */
  live?: UpstreamConfig;
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Issue: a public host without sign-in, at which anyone who reaches the console could pay with its credentials, or what is
 * no host. Names say where they come from, because few users have set HOST themselves.
 */
function hostIssues(host: string, signsIn: boolean): Issue[] {
  const isTarget = /^(x86_64|i\d86|aarch64|arm\w*|p(ower)?pc\w*|s390x|riscv\w*)-/.test(host);
  if (!isTarget && (signsIn || isLoopback(host))) return [];
  const access = 'have users sign in by setting OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL';
  const origin = isIP(host)
    ? ''
    : '; if you have not set HOST, conda has (to the target of its compilers) or tcsh (to this machine’s name)';
  return [
    { path: ['HOST'], message: `give 127.0.0.1, or ${signsIn ? 'an address of this machine' : access}${origin}` },
  ];
}

/** Issue: nothing says which accounts of the provider may pay with the live service. */
const allowedToAll = {
  path: ['OIDC_ALLOWED'],
  message:
    'say who may use the live service: conditions such as group:payments or domain:example.com, or all for every account of OIDC_ISSUER',
};

/** Time (s) to drain where users sign in, and there is a proxy. */
const defaultDrain = 5;

/** Issue: two of the program's servers have the same port. */
const portTwice = { path: ['METRICS_PORT'], message: 'give another port than those of console and sandbox' };

/** Issues: the collector of traces is to be reached by another protocol, for which its port is another one too. */
function protocolIssues(common: Common): Issue[] {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;
  const name = names.find((each) => common[each] !== undefined);
  const collector = common.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? common.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!name || !collector || common[name]?.startsWith('http/')) return [];
  const message = 'give http/json, and the collector’s address for OTLP over HTTP, usually at port 4318';
  return [{ path: [name], message }];
}

function sentenceOf({ path, message }: Issue, environment: Environment): string {
  const name = String(path[0]);
  const found = environment[name];
  const is = !found ? 'is missing' : secrets.includes(name) ? 'is wrong' : `is ${JSON.stringify(maskSecrets(found))}`;
  return `${name} ${is}: ${message}.`;
}

/** Issue: the sandbox has the console's host. A browser would treat the sandbox's pages as the console's. */
const sameHost = {
  path: ['SANDBOX_PUBLIC_URL'],
  message:
    'give a host name of its own, other than that of PUBLIC_URL: the sandbox’s pages are not to act as the console’s',
};

/**
 * Whether two URLs share an origin or, except on this machine, a host: browsers send a host's cookies to all its ports.
 */
function isSameHost(publicUrl: string, sandboxUrl: string): boolean {
  const [one, other] = [new URL(publicUrl), new URL(sandboxUrl)];
  return one.hostname === other.hostname && (one.host === other.host || !isLoopback(one.hostname));
}

/** All variables of console and sandbox. */
export const variableNames: readonly string[] = [
  ...[always, onlyAccess, onlySandbox, onlyLive].flatMap(({ shape }) => Object.keys(shape)),
  ...secretFileNames,
];

/** Sentences about variables whose names are probably misspelt, unless the right one is given too. */
const misspelt = (variables: Environment): string[] =>
  Object.keys(variables).flatMap((name) => {
    const meant = meantName(name, variableNames);
    if (meant === undefined || variables[meant]) return [];
    return `${name} is not a variable of the console: it is called ${meant}; if another program needs ${name}, give ${meant} too.`;
  });

/** Issue: variables of the live service are given, but nothing says whether they are to be used. */
const liveOrNot = (given: readonly string[]): Issue => ({
  path: ['UPSTREAM'],
  message: `give live, because ${given.join(', ')} ${given.length > 1 ? 'are' : 'is'} given, or sandbox to use none of them`,
});

/**
 * Reads the configuration from environment variables; empty ones, and those of Kubernetes' Services, count as absent. For the sandbox alone, sign-in is not
 * configured. Throws ConfigError, also for names that are probably misspelt.
 */
export function parseConfig(environment: Environment, program: 'console' | 'sandbox' = 'console'): Config {
  const isGiven = ([name, text]: [string, string | undefined]) => text !== '' && !isOfService(name, text);
  const given = withProxyNames(Object.fromEntries(Object.entries(environment).filter(isGiven)));
  const unknown = misspelt(given);
  if (unknown.length > 0) throw new ConfigError(unknown);
  const variables = withSecretFiles(given);
  const common = always.safeParse(variables, { error: shapeError });
  const live = variables['UPSTREAM'] === 'live' ? onlyLive.safeParse(variables, { error: shapeError }) : undefined;
  const isConsole = program === 'console';
  const signsIn = isConsole && Object.keys(onlyAccess.shape).some((name) => variables[name]);
  const access = signsIn ? onlyAccess.safeParse(variables, { error: shapeError }) : undefined;
  const sandbox = isConsole ? undefined : onlySandbox.safeParse(variables, { error: shapeError });
  const issues = [common, live, access, sandbox].flatMap((parsed): Issue[] => parsed?.error?.issues ?? []);
  if (isConsole) issues.push(...hostIssues(variables['HOST'] ?? 'localhost', signsIn));
  if (signsIn && live && !variables['OIDC_ALLOWED']) issues.push(allowedToAll);
  const publicUrl = (access ?? sandbox)?.data?.PUBLIC_URL;
  const sandboxPublicUrl = common.data?.SANDBOX_PUBLIC_URL ?? common.data?.SANDBOX_URL;
  if (publicUrl && sandboxPublicUrl && isSameHost(publicUrl, sandboxPublicUrl)) issues.push(sameHost);
  if (common.success && isPortTwice(common.data)) issues.push(portTwice);
  if (common.success) issues.push(...protocolIssues(common.data));
  const ofLive = Object.keys(onlyLive.shape).filter((name) => variables[name]);
  if (variables['UPSTREAM'] === undefined && ofLive.length > 0) issues.push(liveOrNot(ofLive));
  if (!common.success || issues.length > 0) throw new ConfigError(issues.map((issue) => sentenceOf(issue, variables)));

  const {
    HOST,
    PORT,
    SANDBOX_HOST,
    SANDBOX_SECRET,
    SANDBOX_SEED,
    SANDBOX_EVERY_DAY,
    SANDBOX_URL,
    SANDBOX_STORE_URL,
    WEBHOOK_URL,
    DATA_DIR,
    STORE_URL,
    STORE_KEY,
    STORE_KEY_PREVIOUS,
    ACCEPT_STORE,
    ALLOWED_HOSTS,
    TRUSTED_PROXIES,
    RATE_LIMIT,
    MAX_CONNECTIONS,
    TIMELINE_ENTRIES,
    METRICS_HOST,
    METRICS_PORT,
    LOG_LEVEL,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl = collector,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    HTTPS_PROXY,
    HTTP_PROXY,
    NO_PROXY,
    DRAIN_TIME = access ? defaultDrain : 0,
  } = common.data;
  const publicHost = access?.data ? new URL(access.data.PUBLIC_URL).hostname : '';
  return {
    host: HOST,
    port: PORT,
    sandboxHost: SANDBOX_HOST,
    ...(SANDBOX_SECRET !== undefined && { sandboxSecret: SANDBOX_SECRET }),
    ...(SANDBOX_SEED !== undefined && { sandboxSeed: SANDBOX_SEED }),
    ...(SANDBOX_EVERY_DAY !== undefined && { sandboxEveryDay: SANDBOX_EVERY_DAY }),
    ...(SANDBOX_STORE_URL !== undefined && { sandboxStoreUrl: SANDBOX_STORE_URL }),
    ...(SANDBOX_URL !== undefined && { sandboxUrl: SANDBOX_URL }),
    ...(sandboxPublicUrl !== undefined && { sandboxPublicUrl }),
    ...(WEBHOOK_URL !== undefined && { webhookUrl: WEBHOOK_URL }),
    ...(publicUrl !== undefined && { publicUrl }),
    sandboxPort: sandboxPortOf(common.data),
    dataDir: DATA_DIR,
    storeUrl: STORE_URL ?? `file:${join(DATA_DIR, 'console.sqlite')}`,
    storeKeys: [STORE_KEY, STORE_KEY_PREVIOUS].filter((key) => key !== undefined),
    acceptStore: ACCEPT_STORE,
    allowedHosts: [HOST, publicHost, ...ALLOWED_HOSTS.split(',')]
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
    trustedProxies: TRUSTED_PROXIES,
    rateLimit: RATE_LIMIT,
    maxConnections: MAX_CONNECTIONS,
    timelineEntries: TIMELINE_ENTRIES,
    ...(METRICS_PORT !== undefined && { metrics: { host: METRICS_HOST, port: METRICS_PORT } }),
    ...(tracesUrl !== undefined && { traces: { url: tracesUrl, headers } }),
    logLevel: LOG_LEVEL,
    // Connections to the console and its sandbox, whose webhooks come from this process, stay on this machine.
    ...((HTTPS_PROXY ?? HTTP_PROXY) !== undefined && {
      proxies: {
        https: HTTPS_PROXY ?? HTTP_PROXY ?? '',
        http: HTTP_PROXY ?? '',
        except: [...NO_PROXY, HOST, SANDBOX_HOST],
      },
    }),
    drainTime: DRAIN_TIME * 1000,
    ...(access?.data && { access: accessOf(access.data) }),
    ...(live?.data ? { live: liveUpstream(live.data) } : ofLive.length > 0 && { unused: ofLive }),
  };
}

type Common = z.output<typeof always>;

const sandboxPortOf = ({ PORT, SANDBOX_PORT }: Common): number =>
  SANDBOX_PORT ?? (PORT === 0 || PORT === 65535 ? 0 : PORT + 1);

/** Port 0 means any free port, so it may be given twice. The sandbox listens only if it is embedded. */
function isPortTwice(common: Common): boolean {
  const isEmbedded = common.UPSTREAM === 'sandbox' && common.SANDBOX_URL === undefined;
  const used = [common.PORT, ...(isEmbedded ? [sandboxPortOf(common)] : [])];
  return (common.METRICS_PORT ?? 0) > 0 && used.includes(common.METRICS_PORT!); // just checked
}

function accessOf(access: z.output<typeof onlyAccess>): AccessConfig {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    PUBLIC_URL: publicUrl,
    OIDC_SCOPE: scope,
    OIDC_ALLOWED: allowed,
  } = access;
  return {
    issuer,
    clientId,
    publicUrl,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
    ...(allowed !== undefined && { allowed }),
  };
}

function liveUpstream(live: z.output<typeof onlyLive>): UpstreamConfig {
  const { WEBHOOK_SECRET: secret, WEBHOOK_HEADER_NAME: name, WEBHOOK_HEADER_VALUE: value } = live;
  return {
    environment: 'live',
    baseUrl: live.UPSTREAM_URL,
    messagingUrl: live.UPSTREAM_MESSAGING_URL ?? live.UPSTREAM_URL,
    networkUrl: live.UPSTREAM_NETWORK_URL ?? live.UPSTREAM_URL,
    authUrl: live.UPSTREAM_AUTH_URL,
    fileOrigins: live.PAYMENT_FILE_ORIGINS,
    applicationId: live.UPSTREAM_APPLICATION_ID,
    apiKey: live.UPSTREAM_API_KEY,
    signingKey: live.UPSTREAM_SIGNING_KEY,
    authorizeUrl: `${live.IDENTITY_PROVIDER_URL}/authorize`,
    userInfoUrl: `${live.IDENTITY_PROVIDER_URL}/userinfo`,
    clientId: live.IDENTITY_CLIENT_ID,
    providerUrl: live.PROVIDER_URL,
    providerOrigins: [...new Set([new URL(live.PROVIDER_URL).origin, ...live.PROVIDER_ORIGINS])],
    transferUrl: live.TRANSFER_URL,
    webhook: {
      ...(secret && { secret }),
      ...(live.WEBHOOK_SOURCES && { sources: live.WEBHOOK_SOURCES }),
      ...(name && value && { header: { name, value } }),
    },
  };
}

/** Reads the configuration of this process from its environment and the file .env. Throws ConfigError. */
export function readConfig(program?: 'console' | 'sandbox'): Config {
  loadEnvFile();
  return parseConfig(process.env, program);
}
