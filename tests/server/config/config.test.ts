import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig, variableNames } from '#server/config/config.ts';
import { ConfigError } from '#server/config/configError.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const live = {
  UPSTREAM: 'live',
  UPSTREAM_URL: 'https://api.example.com/',
  UPSTREAM_AUTH_URL: 'https://auth.example.com',
  UPSTREAM_APPLICATION_ID: 'sage.fr.accounts',
  UPSTREAM_API_KEY: 'api-key',
  UPSTREAM_SIGNING_KEY: 'signing-key',
  IDENTITY_PROVIDER_URL: 'https://id.example.com',
  IDENTITY_CLIENT_ID: 'console',
  PROVIDER_URL: 'https://provider.example.com',
  TRANSFER_URL: 'https://transfer.example.com/request',
  WEBHOOK_SECRET: 'whsec_c2VjcmV0',
};

const access = {
  OIDC_ISSUER: 'https://login.example.com/realm/',
  OIDC_CLIENT_ID: 'console',
  PUBLIC_URL: 'https://console.example.com/',
};

function sentences(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
  return [];
}

describe('The configuration', () => {
  it('has a default for every variable when it uses the sandbox', () => {
    expect(parseConfig({})).toEqual({
      acceptStore: false,
      drainTime: 0,
      host: '127.0.0.1',
      port: 3000,
      sandboxHost: '127.0.0.1',
      sandboxPort: 3001,
      dataDir: '.data',
      storeUrl: 'file:.data/console.sqlite',
      storeKeys: [],
      allowedHosts: ['127.0.0.1'],
      trustedProxies: [],
      rateLimit: 100,
      maxConnections: 1000,
      timelineEntries: 1000,
      logLevel: 'warn',
    });
  });

  it('enables metrics only with METRICS_PORT, on the loopback address unless METRICS_HOST is set', () => {
    expect(parseConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined();
    expect(parseConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(parseConfig({ PORT: '0', METRICS_PORT: '0', METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 0 });
  });

  it('may have metrics on the port after the console’s unless a sandbox is embedded there', () => {
    const apart = { SANDBOX_URL: 'http://sandbox.internal:3001', SANDBOX_SECRET: 'x'.repeat(16) };
    expect(parseConfig({ METRICS_PORT: '3001', ...apart }).metrics?.port).toBe(3001);
    expect(parseConfig({ METRICS_PORT: '3001', ...live }).metrics?.port).toBe(3001);
    for (const environment of [
      { METRICS_PORT: '3001' },
      { METRICS_PORT: '3000', ...apart },
      { METRICS_PORT: '3000', ...live },
    ])
      expect(sentences(environment)).toEqual([
        `METRICS_PORT is "${environment.METRICS_PORT}": give another port than those of console and sandbox.`,
      ]);
  });

  it('treats empty variables as absent', () => {
    expect(parseConfig({ PORT: '', UPSTREAM: '', STORE_URL: '' }).port).toBe(3000);
  });

  it('puts the sandbox on the port after the console’s, or on any free one if the console uses any', () => {
    expect(parseConfig({ PORT: '8080' }).sandboxPort).toBe(8081);
    expect(parseConfig({ PORT: '0' }).sandboxPort).toBe(0);
    expect(parseConfig({ PORT: '8080', SANDBOX_PORT: '9000' }).sandboxPort).toBe(9000);
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT is "abc": give a port number from 0 to 65535, 0 for any free one.'],
    [{ PORT: '70000' }, 'PORT is "70000": give a port number from 0 to 65535, 0 for any free one.'],
    [{ RATE_LIMIT: '0' }, 'RATE_LIMIT is "0": give a whole number of requests a second from 1 to 100000.'],
    [{ RATE_LIMIT: '1.5' }, 'RATE_LIMIT is "1.5": give a whole number of requests a second from 1 to 100000.'],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, proxy.example' },
      'TRUSTED_PROXIES is "10.0.0.0/8, proxy.example": give addresses such as 203.0.113.7 or 203.0.113.0/24, separated by commas.',
    ],
    [
      { TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
      'TRUSTED_PROXIES is "0.0.0.0/1,128.0.0.0/1": name the proxies: every client could choose its address otherwise.',
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.7,::/0' },
      'TRUSTED_PROXIES is "10.0.0.7,::/0": name the proxies: every client could choose its address otherwise.',
    ],
    [{ METRICS_PORT: '3001' }, 'METRICS_PORT is "3001": give another port than those of console and sandbox.'],
    [{ METRICS_PORT: 'on' }, 'METRICS_PORT is "on": give a port number from 0 to 65535, 0 for any free one.'],
    [{ MAX_CONNECTIONS: 'many' }, 'MAX_CONNECTIONS is "many": give a whole number of connections from 1 to 100000.'],
    [{ TIMELINE_ENTRIES: '-1' }, 'TIMELINE_ENTRIES is "-1": give a whole number of entries from 0 to 10000.'],
    [
      { ...access, OIDC_SCOPE: 'profile' },
      'OIDC_SCOPE is "profile": give openid profile email, perhaps with offline_access.',
    ],
    [{ UPSTREAM: 'test' }, 'UPSTREAM is "test": give one of sandbox, live.'],
    [
      { STORE_URL: 'redis://x' },
      'STORE_URL is wrong: give file: and the path of an SQLite file, such as file:.data/console.sqlite, or a PostgreSQL database, such as postgres://user:password@host/console.',
    ],
    [
      { STORE_URL: 'postgres://ann:s3cret@db' },
      'STORE_URL is wrong: give a PostgreSQL database, such as postgres://user:password@host/console, in whose parts @ : / ? # % and spaces are encoded, %40 for @.',
    ],
    [
      { SANDBOX_STORE_URL: 'postgres://db/sandbox?connections=few' },
      'SANDBOX_STORE_URL is wrong: give as connections a whole number from 5 to 1000.',
    ],
    [
      { SANDBOX_STORE_URL: 'file:sandbox.sqlite' },
      'SANDBOX_STORE_URL is wrong: give a PostgreSQL database, such as postgres://user:password@host/sandbox, or leave it out to keep a file in DATA_DIR.',
    ],
    [{ STORE_KEY: 'hunter2' }, 'STORE_KEY is wrong: give 32 bytes in Base64, as openssl rand -base64 32 prints them.'],
    [
      { STORE_KEY_PREVIOUS: Buffer.alloc(32).toString('base64') },
      'STORE_KEY is missing: give it beside STORE_KEY_PREVIOUS, or neither.',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud": give one of fatal, error, warn, info, debug, trace, silent.'],
  ])('refuses %j with one sentence', (environment, sentence) => {
    expect(sentences(environment)).toEqual([sentence]);
  });

  it('names all missing variables of the live service at once', () => {
    const lacking = sentences({ UPSTREAM: 'live', PORT: 'x' });
    expect(lacking).toHaveLength(Object.keys(live).length);
    expect(lacking).toContain('UPSTREAM_API_KEY is missing: give the API key given at registration.');
    expect(lacking).toContain(
      'UPSTREAM_URL is missing: give an address such as https://api-payout.sage.com, http: only on this machine.',
    );
  });

  it('repeats no secret in an error message', () => {
    expect(sentences({ ...live, WEBHOOK_SECRET: 'hunter2' })).toEqual([
      'WEBHOOK_SECRET is wrong: give whsec_ and the secret in Base64.',
    ]);
  });

  it.each([
    ['whsec_', 'nothing follows whsec_: give the secret in Base64 behind it'],
    ['whsec_c2VjcmV0c', 'what follows whsec_ is Base64 that was cut: copy the whole secret'],
    ['whsec_c2VjcmV0cw=', 'what follows whsec_ is Base64 that was cut: copy the whole secret'],
    ['whsec_-_8-', 'what follows whsec_ is not Base64: write “+” and “/” for “-” and “_”, and “=” only at its end'],
    [
      'whsec_c2Vj=cmV0',
      'what follows whsec_ is not Base64: write “+” and “/” for “-” and “_”, and “=” only at its end',
    ],
    ['c2VjcmV0', 'give whsec_ and the secret in Base64'],
    ['WHSEC_c2VjcmV0', 'give whsec_ and the secret in Base64'],
    ['whsec_c2Vj cmV0', 'give whsec_ and the secret in Base64'],
  ])('refuses a webhook secret that cannot be one: %s (behaviour 7.20)', (secret, sentence) => {
    expect(sentences({ ...live, WEBHOOK_SECRET: secret })).toEqual([`WEBHOOK_SECRET is wrong: ${sentence}.`]);
  });

  it.each(['whsec_c2VjcmV0', 'whsec_c2VjcmV0cw==', 'whsec_c2VjcmV0cw', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'accepts a webhook secret with or without padding: %s',
    (secret) => {
      expect(parseConfig({ ...live, WEBHOOK_SECRET: secret }).live?.webhook.secret).toBe(secret);
    },
  );

  it('requires webhooks to be authenticated by a signature, the agreed header, or both (threat 5.1)', () => {
    const { WEBHOOK_SECRET, ...neither } = live;
    expect(sentences(neither)).toEqual([
      expect.stringMatching(
        /^WEBHOOK_SECRET is missing: give the secret .* or WEBHOOK_HEADER_NAME and WEBHOOK_HEADER_VALUE/,
      ),
    ]);
    const agreed = { WEBHOOK_HEADER_NAME: 'X-Key', WEBHOOK_HEADER_VALUE: 'v' };
    const header = { name: 'x-key', value: 'v' };
    expect(parseConfig({ ...neither, ...agreed }).live?.webhook).toEqual({ header });
    expect(parseConfig({ ...live, ...agreed }).live?.webhook).toEqual({ secret: WEBHOOK_SECRET, header });
    expect(parseConfig(live).live?.webhook).toEqual({ secret: WEBHOOK_SECRET });
    expect(sentences({ ...neither, ...agreed, WEBHOOK_HEADER_NAME: 'x key' })).toEqual([
      'WEBHOOK_HEADER_NAME is "x key": give the name of a header, such as x-webhook-key.',
    ]);
  });

  it.each([
    'UPSTREAM_URL',
    'UPSTREAM_AUTH_URL',
    'UPSTREAM_MESSAGING_URL',
    'UPSTREAM_NETWORK_URL',
    'IDENTITY_PROVIDER_URL',
    'PROVIDER_URL',
    'TRANSFER_URL',
    'PAYMENT_FILE_ORIGINS',
    'PROVIDER_ORIGINS',
  ])('refuses %s over plain HTTP except on this machine (threat 2.35)', (name) => {
    for (const host of [
      'api.example.com',
      '10.0.0.7',
      '127.0.0.1.example.com',
      'localhost.example.com',
      '127.0.0.1@evil.example',
      '0.0.0.0',
      '[::]',
      '[::2]',
      '128.0.0.1',
      'evil.example/127.0.0.1',
      'evil.example#@localhost',
    ])
      expect(sentences({ ...live, [name]: `http://${host}` }), host).toEqual([
        expect.stringMatching(new RegExp(`^${name} is "http://.*, http: only on this machine\\.$`)),
      ]);
    for (const host of [
      'localhost:9',
      'LOCALHOST',
      '127.0.0.1',
      '127.8.9.1:80',
      '[::1]:9',
      '[0:0:0:0:0:0:0:1]',
      '127.1',
      '0x7f.1',
    ])
      // prettier-ignore
      expect(sentences({ ...live, [name]: `http://${host}` }), host).toEqual([]);
  });

  it('requires OIDC_ALLOWED for the live service where users sign in (threat 2.34)', () => {
    const missing =
      'OIDC_ALLOWED is missing: say who may use the live service: conditions such as group:payments or domain:example.com, or all for every account of OIDC_ISSUER.';
    for (const OIDC_ALLOWED of ['', undefined])
      expect(sentences({ ...live, ...access, ...(OIDC_ALLOWED !== undefined && { OIDC_ALLOWED }) })).toEqual([missing]);
    expect(parseConfig({ ...live, ...access, OIDC_ALLOWED: 'all' }).access).toMatchObject({ allowed: 'all' });
    expect(parseConfig({ ...live, ...access, OIDC_ALLOWED: 'domain:A.example' }).access).toMatchObject({
      allowed: [{ kind: 'domain', value: 'a.example' }],
    });
    expect(sentences(live), 'without sign-in there is one user').toEqual([]);
    expect(sentences({ ...access, UPSTREAM: 'sandbox' })).toEqual([]);
    expect(sentences({ ...access, OIDC_ALLOWED: 'domain:*' })).toEqual([
      'OIDC_ALLOWED is "domain:*": "*" is no domain: give one such as domain:example.com, and each of its subdomains by itself.',
    ]);
  });

  it('reads the service’s other hosts, with the API’s host as default', () => {
    expect(parseConfig(live).live).toMatchObject({
      messagingUrl: 'https://api.example.com',
      networkUrl: 'https://api.example.com',
      fileOrigins: [],
    });
    const own = {
      UPSTREAM_MESSAGING_URL: 'https://messages.example.com/',
      UPSTREAM_NETWORK_URL: 'https://network.example.com/base/',
      PAYMENT_FILE_ORIGINS: 'https://files.example.com/path, http://127.0.0.1:9',
    };
    expect(parseConfig({ ...live, ...own }).live).toMatchObject({
      messagingUrl: 'https://messages.example.com',
      networkUrl: 'https://network.example.com/base',
      fileOrigins: ['https://files.example.com', 'http://127.0.0.1:9'],
    });
    expect(sentences({ ...live, PAYMENT_FILE_ORIGINS: 'files.example.com' })).toEqual([
      'PAYMENT_FILE_ORIGINS is "files.example.com": give addresses such as https://files.example.com, separated by commas, http: only on this machine.',
    ]);
  });

  it('requires name and value of the agreed webhook header together', () => {
    expect(sentences({ ...live, WEBHOOK_HEADER_NAME: 'X-Key' })).toEqual([
      'WEBHOOK_HEADER_NAME is "X-Key": give WEBHOOK_HEADER_NAME and WEBHOOK_HEADER_VALUE together or neither.',
    ]);
    const { live: upstream } = parseConfig({ ...live, WEBHOOK_HEADER_NAME: 'X-Key', WEBHOOK_HEADER_VALUE: 'v' });
    expect(upstream?.webhook.header).toEqual({ name: 'x-key', value: 'v' });
  });

  const openToAll = 'give 127.0.0.1, or have users sign in by setting OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL';
  const ofShell =
    '; if you have not set HOST, conda has (to the target of its compilers) or tcsh (to this machine’s name)';

  it.each([
    ...['0.0.0.0', '::', '192.0.2.1'].map((host) => [host, '']),
    ...['console.example.com', 'build-7', 'armada'].map((host) => [host, ofShell]),
  ])(
    'refuses to listen on %s unless users sign in, and says where a name may come from (threat 2.3)',
    (HOST, origin) => {
      expect(sentences({ HOST })).toEqual([`HOST is "${HOST}": ${openToAll}${origin}.`]);
      expect(parseConfig({ HOST, ...access }).host).toBe(HOST);
    },
  );

  it.each([
    'x86_64-conda-linux-gnu',
    'aarch64-conda-linux-gnu',
    'arm64-apple-darwin20.0.0',
    'powerpc64le-conda-linux-gnu',
  ])('refuses the target of conda’s compilers as a host, and says where it comes from: %s', (HOST) => {
    expect(sentences({ HOST })).toEqual([`HOST is "${HOST}": ${openToAll}${ofShell}.`]);
    expect(sentences({ HOST, ...access })).toEqual([
      `HOST is "${HOST}": give 127.0.0.1, or an address of this machine${ofShell}.`,
    ]);
  });

  /** The variables that Kubernetes adds for a Service at a port. */
  const ofService = (service: string, protocol = 'tcp'): Record<string, string> => {
    const [at, port] = [`${protocol}://10.0.0.11:3001`, `${service}_PORT_3001_${protocol.toUpperCase()}`];
    return {
      [`${service}_SERVICE_HOST`]: '10.0.0.11',
      [`${service}_SERVICE_PORT`]: '3001',
      [`${service}_PORT`]: at,
      [`${service}_SERVICE_PORT_HTTP`]: '3001',
      [port]: at,
      [`${port}_PROTO`]: protocol,
      [`${port}_PORT`]: '3001',
      [`${port}_ADDR`]: '10.0.0.11',
    };
  };

  it.each([...new Set(variableNames.flatMap((name) => [name, name.replace(/_[A-Z]+$/, '')]))])(
    'passes over the variables that Kubernetes adds for a Service named as %s',
    (service) => {
      for (const protocol of ['tcp', 'udp', 'sctp'])
        expect(parseConfig(ofService(service, protocol))).toEqual(parseConfig({}));
    },
  );

  it('does not take another value of a port for a Service of Kubernetes', () => {
    expect(sentences({ SANDBOX_PORT: 'http://10.0.0.11' })).toHaveLength(1);
    expect(parseConfig({ ...ofService('METRICS'), METRICS_PORT: '9464' }).metrics?.port).toBe(9464);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'http://c:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/otlp//' }, 'http://c:4318/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/?key=7' }, 'https://c/v1/traces?key=7'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/v1/traces' }, 'https://c/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/api/spans/' }, 'https://c/api/spans/'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t' }, 'https://t'],
  ])(
    'sends traces below the collector’s address, or to the address of traces to the letter: %j (behaviour 7.30)',
    (given, url) => {
      expect(parseConfig(given).traces).toEqual({ url, headers: {} });
    },
  );

  it.each([
    'http://c:4318/v1/traces',
    'http://c:4318/v1/traces/',
    'http://c:4318/v1/metrics',
    'http://c/x/v1/traces?a=b',
    'http://c:4318/V1/Traces',
  ])('refuses the address of one kind of data as a collector’s: %s (behaviour 7.30)', (url) => {
    expect(sentences({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual([
      `OTEL_EXPORTER_OTLP_ENDPOINT is "${url}": give the address without /v1/traces, which is appended; OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is used as it is.`,
    ]);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"'],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc"'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'GRPC' }, 'is "GRPC"'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'zipkin' }, 'is "zipkin"'],
  ])(
    'refuses a protocol in which it sends no traces, where there is a collector: %j (behaviour 7.30)',
    (given, said) => {
      const [sentence = '', ...others] = sentences({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', ...given });
      expect(sentence).toContain(`${said}: give http/json`);
      expect(others).toEqual([]);
      expect(parseConfig(given).traces).toBeUndefined();
    },
  );

  it.each([
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
  ])('sends traces by HTTP where that is the protocol of traces: %j (behaviour 7.30)', (given) => {
    expect(parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', ...given }).traces).toBeDefined();
  });

  it.each(['"http://c:4318"', 'grpc://c:4317', 'c:4317', 'c', 'http://', '//c', 'unix:///c'])(
    'refuses what is no address in a sentence, whichever variable holds it: %s (behaviour 7.30, 8.11)',
    (url) => {
      const names = [
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
        'SANDBOX_URL',
        'SANDBOX_PUBLIC_URL',
        'WEBHOOK_URL',
      ];
      for (const name of names)
        expect(sentences({ [name]: url })).toEqual([
          expect.stringContaining(`${name} is ${JSON.stringify(url)}: give an address such as http`),
        ]);
      for (const name of ['PUBLIC_URL', 'OIDC_ISSUER'])
        expect(sentences({ ...access, [name]: url })).toContainEqual(
          expect.stringContaining(`${name} is ${JSON.stringify(url)}: give an address such as http`),
        );
    },
  );

  it('masks a password in an address that it refuses (threat 2.33)', () => {
    const url = 'https://user:hunter2@c/v1/traces';
    const [said = ''] = sentences({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(said).toContain('https://user:••••••••@c/v1/traces');
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('allows listening on %s without sign-in', (HOST) => {
    expect(parseConfig({ HOST })).toMatchObject({ host: HOST });
  });

  it('requires the variables for signing in together', () => {
    expect(sentences({ OIDC_CLIENT_SECRET: 'hunter2' })).toEqual([
      'OIDC_ISSUER is missing: give an address such as https://login.example.com, http: only on this machine.',
      'OIDC_CLIENT_ID is missing: give the client id that the OpenID Connect provider knows the console by.',
      'PUBLIC_URL is missing: give an address such as https://console.example.com, http: only on this machine.',
    ]);
    expect(parseConfig({ ...access, OIDC_CLIENT_SECRET: 's' })).toMatchObject({
      access: {
        issuer: 'https://login.example.com/realm/', // to the letter: it is compared with what the provider says
        clientId: 'console',
        clientSecret: 's',
        publicUrl: 'https://console.example.com',
      },
      allowedHosts: ['127.0.0.1', 'console.example.com'],
    });
  });

  it('refuses an issuer or public URL over plain HTTP except locally, and a public URL with a path (threat 2.14)', () => {
    expect(sentences({ ...access, OIDC_ISSUER: 'http://login.example.com' })).toHaveLength(1);
    expect(sentences({ ...access, PUBLIC_URL: 'http://console.example.com' })).toHaveLength(1);
    expect(sentences({ ...access, PUBLIC_URL: 'https://example.com/console' })).toEqual([
      'PUBLIC_URL is "https://example.com/console": give an address without a path, such as https://console.example.com.',
    ]);
    const local = { OIDC_ISSUER: 'http://localhost:8080', PUBLIC_URL: 'http://127.0.0.1:3000' };
    expect(sentences({ ...access, ...local })).toEqual([]);
  });

  it('removes trailing slashes from the live service’s URLs (wire 1.1)', () => {
    expect(parseConfig(live).live).toMatchObject({
      environment: 'live',
      baseUrl: 'https://api.example.com',
      authorizeUrl: 'https://id.example.com/authorize',
      userInfoUrl: 'https://id.example.com/userinfo',
    });
  });

  it('reads the sandbox’s database URL, which is optional', () => {
    const url = 'postgres://user:secret@host/sandbox';
    expect(parseConfig({ SANDBOX_STORE_URL: url }, 'sandbox').sandboxStoreUrl).toBe(url);
    expect(parseConfig({}, 'sandbox').sandboxStoreUrl).toBeUndefined();
  });

  it('reads the sandbox’s URLs for consoles and for browsers', () => {
    const SANDBOX_SECRET = 'a secret of my own';
    expect(parseConfig({ SANDBOX_URL: 'http://sandbox.internal:3001/', SANDBOX_SECRET })).toMatchObject({
      sandboxUrl: 'http://sandbox.internal:3001',
      sandboxPublicUrl: 'http://sandbox.internal:3001',
    });
    const SANDBOX_PUBLIC_URL = 'https://sandbox.example.com/';
    expect(parseConfig({ ...access, SANDBOX_PUBLIC_URL })).toMatchObject({
      sandboxPublicUrl: 'https://sandbox.example.com',
      publicUrl: 'https://console.example.com',
    });
    expect(parseConfig({ PUBLIC_URL: access.PUBLIC_URL, HOST: '0.0.0.0' }, 'sandbox')).toMatchObject({
      publicUrl: 'https://console.example.com',
    });
  });

  it.each([
    [{ SANDBOX_URL: 'http://sandbox.internal:3001' }, 'SANDBOX_SECRET is missing: give the sandbox at SANDBOX_URL'],
    [{ SANDBOX_URL: 'sandbox:3001' }, 'SANDBOX_URL is "sandbox:3001": give an address such as http://'],
    [{ SANDBOX_URL: 'http://a.example/b' }, 'SANDBOX_URL is "http://a.example/b": give an address without a path'],
    [{ SANDBOX_PUBLIC_URL: 'http://a.example' }, 'http: only on this machine'],
    [{ SANDBOX_PUBLIC_URL: 'https://a.example/b' }, 'SANDBOX_PUBLIC_URL is "https://a.example/b": give an address without a path'], // prettier-ignore
    [
      { ...access, SANDBOX_PUBLIC_URL: access.PUBLIC_URL },
      'give a host name of its own, other than that of PUBLIC_URL',
    ],
    [{ ...access, SANDBOX_PUBLIC_URL: 'https://console.example.com:8443' }, 'give a host name of its own'],
    [{ WEBHOOK_URL: 'console' }, 'WEBHOOK_URL is "console": give an address such as https://'],
  ])('refuses an invalid sandbox or webhook URL: %j', (environment, words) => {
    expect(sentences(environment).join(' ')).toContain(words);
  });
});

describe('The outgoing proxy', () => {
  const own = ['127.0.0.1', '127.0.0.1'];

  it.each<[Record<string, string>, object | undefined]>([
    [{}, undefined],
    [{ NO_PROXY: 'example.com' }, undefined],
    [{ HTTPS_PROXY: 'http://p.example:3128' }, { https: 'http://p.example:3128', http: '', except: own }],
    [{ HTTP_PROXY: 'p.example:3128' }, { https: 'http://p.example:3128', http: 'http://p.example:3128', except: own }],
    [
      { https_proxy: 'https://low.example', HTTPS_PROXY: 'http://up.example', http_proxy: '' },
      { https: 'https://low.example', http: '', except: own },
    ],
    [
      {
        HTTPS_PROXY: 'http://ada:p%40ss@p.example',
        no_proxy: ' .a.example, b.example:8443 10.0.0.0/8,*,',
        NO_PROXY: 'c',
      },
      {
        https: 'http://ada:p%40ss@p.example',
        http: '',
        except: ['.a.example', 'b.example:8443', '10.0.0.0/8', '*', ...own],
      },
    ],
    [
      { HTTP_PROXY: 'http://p.example', ...access, HOST: '10.0.0.5', SANDBOX_HOST: 'fd00::5' },
      { https: 'http://p.example', http: 'http://p.example', except: ['10.0.0.5', 'fd00::5'] },
    ],
  ])('of %j is %j; the console’s own addresses are exceptions (behaviour 7.29)', (environment, proxies) => {
    expect(parseConfig(environment).proxies).toEqual(proxies);
  });

  it.each([
    'socks5://p.example',
    'ftp://p.example',
    'http://p.example/path',
    'http://ada:pa/ss@p.example',
    'http://ada:p%zz@p.example',
    'http://ada:p%0d%0a@p.example',
    'http://',
    'p example',
  ])('is refused without its text if it is no address of an HTTP proxy: %s', (HTTPS_PROXY) => {
    const [sentence = ''] = sentences({ HTTPS_PROXY });
    expect(sentence).toMatch(/^HTTPS_PROXY is wrong: give the address of an HTTP proxy, such as http:/);
    expect(sentences({ https_proxy: HTTPS_PROXY })).toEqual([sentence]);
  });

  it.each(['http://a.example', 'a.*.example', 'a.example/x', '10.0.0.0/64', '[a.example]', 'a.example:port'])(
    'is refused with the entry of NO_PROXY that is no host, address or network: %s',
    (entry) => {
      const [sentence] = sentences({ NO_PROXY: `b.example,${entry}` });
      expect(sentence).toContain(`: ${JSON.stringify(entry)} is none of a host such as example.com`);
    },
  );

  it('is read from the file of a secret, in place of the variable of either case', () => {
    const path = join(temporaryFolder(), 'proxy');
    writeFileSync(path, 'http://ada:secret@p.example:3128\n');
    expect(parseConfig({ HTTPS_PROXY_FILE: path }).proxies).toMatchObject({
      https: 'http://ada:secret@p.example:3128',
    });
    expect(sentences({ HTTPS_PROXY_FILE: path, https_proxy: 'http://q.example' })[0]).toMatch(
      /^HTTPS_PROXY_FILE is .* beside HTTPS_PROXY/,
    );
  });
});

describe('The name of a variable', () => {
  it('stands in docs/operating.md', () => {
    const text = readFileSync('docs/operating.md', 'utf8');
    const isFile = (name: string) => name.endsWith('_FILE');
    expect(variableNames.filter((name) => !isFile(name) && !text.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['OIDC_ISUER', 'OIDC_ISSUER'],
    ['OIDC_ISSUERS', 'OIDC_ISSUER'],
    ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['LOG_LEVELL', 'LOG_LEVEL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
    ['Upstream', 'UPSTREAM'],
    ['UPSTERAM', 'UPSTREAM'],
    ['UPSTREAM-URL', 'UPSTREAM_URL'],
    ['STORE_KEY_PREVIUOS', 'STORE_KEY_PREVIOUS'],
    ['STORE_KEYFILE', 'STORE_KEY_FILE'],
    ['PROT', 'PORT'],
    ['WEBHOOK_SECRETS', 'WEBHOOK_SECRET'],
    ['ACCEPTSTORE', 'ACCEPT_STORE'],
    ['HTTPS_PROX', 'HTTPS_PROXY'],
    ['HTTPPROXY', 'HTTP_PROXY'],
    ['noproxy', 'NO_PROXY'],
  ])('that is probably misspelt stops the start: %s', (name, meant) => {
    for (const environment of [{ [name]: 'x' }, { ...live, [name]: 'x', [meant]: '' }])
      expect(sentences(environment)).toEqual([
        `${name} is not a variable of the console: it is called ${meant}; if another program needs ${name}, give ${meant} too.`,
      ]);
    expect(sentences({ [name]: '' })).toEqual([]);
  });

  it('of another program is no obstacle', () => {
    const others = [
      'HOME',
      'PATH',
      'PWD',
      'OLDPWD',
      'SHELL',
      'HOSTNAME',
      'HOSTTYPE',
      'TERM',
      'LANG',
      'USER',
      'LOGNAME',
      'SHLVL',
      'NODE_ENV',
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'XDG_DATA_DIRS',
      'http_proxy',
      'https_proxy',
      'no_proxy',
      'ftp_proxy',
      'FTP_PROXY',
      'all_proxy',
      'GOPROXY',
      'GONOPROXY',
      'npm_config_noproxy',
      'npm_config_https_proxy',
      'rsync_proxy',
      'WS_PROXY',
      'WSS_PROXY',
      'VENDOR',
      'MACHTYPE',
      'GROUP',
      'BUILD',
      'CONDA_PREFIX',
      'host_alias',
      'build_alias',
      'DYNO',
      'K_SERVICE',
      'XDG_DATA_HOME',
      'SSL_CERT_FILE',
      'SSL_CERT_DIR',
      'PGHOST',
      'PGPORT',
      'PGDATA',
      'DATABASE_URL',
      'POSTGRES_USER',
      'npm_config_loglevel',
      'npm_package_name',
      'npm_lifecycle_event',
      'npm_config_user_agent',
      'INIT_CWD',
      'CI',
      'KUBERNETES_SERVICE_HOST',
      'KUBERNETES_PORT',
      'CONSOLE_PORT_3000_TCP',
      'SANDBOX_PORT_3001_TCP',
      'SANDBOX_SERVICE_PORT',
      'IS_SANDBOX',
      'TMPDIR',
      'TZ',
      'EDITOR',
      'CONSOLE_COOKIE',
      'STORE',
      'SEED',
      'RUNS',
      'INVOCATION_ID',
      'JOURNAL_STREAM',
      'WEBHOOK_SIGNING_SECRET',
      'STRIPE_API_KEY',
      'API_KEY',
      'SECRET_KEY',
      'DEBUG',
      'MAIL_HOST',
      'REDIS_URL',
      'ComSpec',
      'SystemRoot',
      'ProgramData',
      'APPDATA',
      'LOCALAPPDATA',
      'PATHEXT',
      'USERPROFILE',
      'PUBLIC',
      'SESSIONNAME',
      'windir',
    ];
    expect(sentences(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('that another program needs too is no obstacle if the right one is given', () => {
    expect(parseConfig({ LOGLEVEL: 'debug', LOG_LEVEL: 'info' }).logLevel).toBe('info');
  });
});

describe('Variables of the live service', () => {
  it('stop the start unless UPSTREAM says whether they are used', () => {
    expect(sentences({ UPSTREAM_URL: 'https://api.example.com' })).toEqual([
      'UPSTREAM is missing: give live, because UPSTREAM_URL is given, or sandbox to use none of them.',
    ]);
    const { UPSTREAM: _, ...rest } = live;
    for (const UPSTREAM of [undefined, ''])
      expect(sentences({ ...rest, ...(UPSTREAM !== undefined && { UPSTREAM }) })).toEqual([
        expect.stringMatching(
          /^UPSTREAM is missing: give live, because UPSTREAM_URL, .*WEBHOOK_SECRET are given, or sandbox/,
        ),
      ]);
    expect(parseConfig({ ...rest, UPSTREAM: 'sandbox' })).toMatchObject({ unused: Object.keys(rest) });
    expect(parseConfig({ ...rest, UPSTREAM: 'sandbox' }).live).toBeUndefined();
    expect(parseConfig(live).unused).toBeUndefined();
    expect(sentences({ ...rest, UPSTREAM: 'Live' })).toEqual(['UPSTREAM is "Live": give one of sandbox, live.']);
  });
});

describe('A file with a secret', () => {
  const fileWith = (content: string | Uint8Array) => {
    const path = join(temporaryFolder(), 'secret');
    writeFileSync(path, content);
    return path;
  };

  it.each<[string, (secret: string) => string | Uint8Array]>([
    ['as it is', (secret) => secret],
    ['with a new line', (secret) => `${secret}\n`],
    ['with CRLF', (secret) => `${secret}\r\n`],
    ['with a byte order mark', (secret) => `\uFEFF${secret}`],
    ['in UTF-16', (secret) => Buffer.from(`\uFEFF${secret}\r\n`, 'utf16le')],
  ])('is read in place of each secret variable, %s', (_, written) => {
    const config = parseConfig({
      ...live,
      UPSTREAM_API_KEY: '',
      UPSTREAM_SIGNING_KEY: '',
      WEBHOOK_SECRET: '',
      UPSTREAM_API_KEY_FILE: fileWith(written('the # key ')),
      UPSTREAM_SIGNING_KEY_FILE: fileWith(written('signs')),
      WEBHOOK_SECRET_FILE: fileWith(written(live.WEBHOOK_SECRET)),
      STORE_URL_FILE: fileWith(written('postgres://ann:s3cret@db/console')),
      STORE_KEY_FILE: fileWith(written(Buffer.alloc(32, 1).toString('base64'))),
    });
    expect(config.live).toMatchObject({
      apiKey: 'the # key ',
      signingKey: 'signs',
      webhook: { secret: live.WEBHOOK_SECRET },
    });
    expect(config).toMatchObject({ storeUrl: 'postgres://ann:s3cret@db/console', storeKeys: [{ type: 'secret' }] });
  });

  it('is refused if it is missing, empty, no text or given beside the variable, without the secret', () => {
    const [empty, binary, right] = [
      fileWith('\n'),
      fileWith(Uint8Array.of(0x80, 0xff)),
      fileWith('s3cret of 16 letters'),
    ];
    const right_ = ': give a file with the secret, or SANDBOX_SECRET.';
    const of = (path: string, why: string) => `SANDBOX_SECRET_FILE is ${JSON.stringify(path)}, ${why}${right_}`;
    for (const [environment, sentence] of [
      [{ SANDBOX_SECRET_FILE: '/nowhere' }, of('/nowhere', 'which cannot be read (ENOENT)')],
      [{ SANDBOX_SECRET_FILE: '/' }, of('/', 'which cannot be read (EISDIR)')],
      [{ SANDBOX_SECRET_FILE: empty }, of(empty, 'which is empty')],
      [{ SANDBOX_SECRET_FILE: binary }, of(binary, 'which is not encoded in UTF-8: save it in UTF-8')],
      [{ SANDBOX_SECRET_FILE: right, SANDBOX_SECRET: 's3cret of 16 others' }, of(right, 'beside SANDBOX_SECRET')],
    ] as const)
      expect(sentences(environment)).toEqual([sentence]);
  });
});
