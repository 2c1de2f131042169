import { domainToASCII } from 'node:url';

/** What the provider says about a user: in the ID token, or at its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** One condition that a user may meet; `path` is that of a claim. */
type Condition =
  { kind: 'group' | 'domain' | 'subject'; value: string } | { kind: 'claim'; path: string; value: string };

/** Who may sign in: every user of the provider, or who meets one of these conditions. */
export type Allowed = 'all' | readonly Condition[];

const examples = 'group:payments, domain:example.com, subject:8f14e45f or claim:department=Treasury';

/** A domain as it is compared; '' if it is none. */
const domainOf = (text: string): string => (/^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? domainToASCII(text) : '');

const isDomain = (text: string): boolean => /^[^.]+(\.[^.]+)*$/.test(domainOf(text));

function conditionOf(text: string): Condition {
  const [, kind, value] = /^(group|domain|subject|claim):\s*(\S.*)$/s.exec(text) ?? [];
  if (kind === undefined || value === undefined)
    throw new Error(
      `${JSON.stringify(text)} is no condition: give all, or conditions such as ${examples}, separated by commas`,
    );
  if (kind === 'domain') {
    if (!isDomain(value))
      throw new Error(
        `${JSON.stringify(value)} is no domain: give one such as domain:example.com, and each of its subdomains by itself`,
      );
    return { kind, value: domainOf(value) };
  }
  if (kind !== 'claim') return { kind: kind as 'group' | 'subject', value }; // the pattern has no other
  const [, path, expected] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (path === undefined || expected === undefined)
    throw new Error(
      `${JSON.stringify(text)} names no value: give the claim and its value, such as claim:department=Treasury`,
    );
  return { kind, path: path.trim(), value: expected.trim() };
}

/**
 * Reads OIDC_ALLOWED: `all`, or conditions separated by commas; `\,` is a comma within one. Throws an Error that says what
 * is wrong and what would be right.
 */
export function parseAllowed(text: string): Allowed {
  const parts = text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll('\\,', ',').trim())
    .filter(Boolean);
  if (parts.length === 0) throw new Error(`give all, or conditions such as ${examples}, separated by commas`);
  if (!parts.includes('all')) return parts.map(conditionOf);
  if (parts.length > 1)
    throw new Error('give all by itself, or leave it out: beside it the conditions restrict nobody');
  return 'all';
}

/** Claims in which providers name groups: Entra and Okta, roles of Entra and Auth0, Keycloak's, Cognito's. */
const groupClaims = ['groups', 'roles', 'realm_access.roles', 'cognito:groups'];

/** The claim at a path: a member with this very name, or members within members; undefined if there is none. */
function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Claims)[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (Object.hasOwn(claims, name)) return claimAt((claims as Claims)[name], path.slice(dot + 1));
  }
  return undefined;
}

/** The values of a claim, which may be one or a list. */
const valuesOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? (claim as unknown[]) : [claim]).flatMap((each) =>
    ['string', 'number', 'boolean'].includes(typeof each) ? [String(each)] : [],
  );

/** The domain of an e-mail address, which has exactly one @; '' if it has none. */
const mailDomain = (email: unknown): string =>
  typeof email === 'string' ? domainOf(/^[^@\s]+@([^@\s]+)$/.exec(email)?.[1] ?? '') : '';

/** Providers also write it as a text. */
const isVerified = ({ email_verified: verified }: Claims): boolean => verified === true || verified === 'true';

/** At Google, an account that belongs to no organisation may have an address of any domain: only `hd` proves it. */
const isPrivate = ({ iss, hd }: Claims): boolean =>
  hd === undefined && /^(https:\/\/)?accounts\.google\.com$/.test(String(iss));

/** Why a condition is not met, naming the claim; undefined if it is met. */
function lackOf(condition: Condition, claims: Claims): string | undefined {
  const { kind, value } = condition;
  if (kind === 'subject') return claims['sub'] === value ? undefined : 'your id is not admitted (claim sub)';
  if (kind === 'claim') {
    const values = valuesOf(claimAt(claims, condition.path));
    if (values.includes(value)) return undefined;
    return `${values.length > 0 ? 'your value is not admitted' : 'nothing is said'} (claim ${condition.path})`;
  }
  if (kind === 'group') {
    const named = groupClaims.filter((path) => claimAt(claims, path) !== undefined);
    if (named.some((path) => valuesOf(claimAt(claims, path)).includes(value))) return undefined;
    if (named.length > 0) return `none of your groups is admitted (claim ${named.join(', ')})`;
    const left = claimAt(claims, '_claim_names.groups') !== undefined || claims['hasgroups'] !== undefined;
    return left
      ? 'you are in more groups than the sign-in service lists (claim groups)'
      : `no group is named (claim ${groupClaims.join(', ')})`;
  }
  if (typeof claims['hd'] === 'string' && domainOf(claims['hd']) === value) return undefined;
  if (mailDomain(claims['email']) === '') return 'no e-mail address is named (claim email)';
  if (!isVerified(claims)) return 'your e-mail address is not marked as verified (claim email_verified)';
  if (isPrivate(claims)) return 'your account belongs to no organisation (claim hd)';
  return mailDomain(claims['email']) === value
    ? undefined
    : 'the domain of your e-mail address is not admitted (claim email)';
}

/**
 * Returns why a user is not admitted: what each condition lacks, by the claim, without saying who would be admitted;
 * undefined if a condition is met by one of the sources.
 */
export function lacksOf(allowed: Allowed, sources: readonly Claims[]): string[] | undefined {
  if (allowed === 'all') return undefined;
  const lacks = sources.map((claims) => allowed.map((condition) => lackOf(condition, claims)));
  if (lacks.flat().includes(undefined)) return undefined;
  // What one of the sources says is nearer than that another one says nothing.
  const nearest = allowed.map((_, index) => {
    const each = lacks.map((ofSource) => ofSource[index] ?? '');
    return each.find((lack) => !/^(no|nothing) /.test(lack)) ?? each[0] ?? '';
  });
  return [...new Set(nearest)];
}

export const admits = (allowed: Allowed, sources: readonly Claims[]): boolean =>
  lacksOf(allowed, sources) === undefined;

/** The claims of an ID token whose signature was checked when it was issued. */
export function claimsOf(idToken: string): Claims {
  const [, claims = ''] = idToken.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims; // the provider's library has read it before
}

/** Where a user's claims stand: at the userinfo endpoint, if the provider has one, and in the ID token. */
export const sourcesOf = ({ userInfo, idToken }: { userInfo?: Claims; idToken: string }): Claims[] => [
  ...(userInfo ? [userInfo] : []),
  claimsOf(idToken),
];
