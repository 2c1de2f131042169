export const poolerReason =
  'a pooler such as PgBouncer is in between, by which settings, locks and notices of connections are lost: give the database server itself';
const otherTablesReason = 'its tables are not those of this program, give an empty database';
const untrustedReason =
  'its certificate cannot be verified, give its authority’s as sslrootcert or by NODE_EXTRA_CA_CERTS, or sslmode=no-verify to believe any';

/** Reasons by the code of PostgreSQL, the driver or Node: sentences without their beginning and their full stop. */
const reasons: Readonly<Record<string, string>> = {
  '25006': 'it can only be read, give the one that may be written to and not a standby',
  '26000': poolerReason,
  '28P01': 'it refuses the password, give the right one',
  '28000': 'it refuses the user, give one that may connect, by TLS if it insists on that (sslmode=verify-full)',
  '3D000': 'there is no such database, create it or give another one',
  '3F000': 'it has no schema to make tables in, create the one that the user’s search_path names',
  '42501': 'the user may not connect or create tables there, grant it or give another user',
  '42703': otherTablesReason,
  '42P01': otherTablesReason,
  '42P07': otherTablesReason,
  '42P05': poolerReason,
  '53300': 'it has no connection left, raise max_connections or the limit of the user or the database',
  '55P03': 'another program is making its tables or copying a store into it, wait until that is done',
  '57P03': 'it is starting, ending or recovering, wait until it takes connections',
  ECONNREFUSED: 'nobody listens there, start the database or give another one',
  ENOENT: 'nobody listens there, start the database or give another one',
  ENOTFOUND: 'there is no such host, give another one',
  EAI_AGAIN: 'there is no such host, give another one',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedReason,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedReason,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedReason,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedReason,
  CERT_HAS_EXPIRED: 'its certificate has expired, give it another one',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name, give the one that it is for',
};

/** Reasons by the message of the driver or the connection pooler, for errors without a code of their own. */
const reasonsByMessage: readonly (readonly [RegExp, string])[] = [
  [/startup parameter|transaction blocks not allowed/, poolerReason],
  [/password must be a (non-empty )?string/, 'it asks for a password, give one'],
  [/PEM routines|key values mismatch/, 'sslcert and sslkey are not a certificate and its key, give both as PEM'],
  [/does not support SSL/, 'it has no TLS, configure that there or give sslmode=disable'],
  [
    /timeout expired|timeout exceeded|connection timeout/,
    'it does not answer, give another one or see what keeps it from answering',
  ],
];

/** Returns why a PostgreSQL database cannot be used after an error of its driver. */
export const postgresReason = (code: string, message: string): string =>
  reasonsByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? reasons[code] ?? `it cannot be used (${message})`;
