import { header } from '#contract/requests/headers.ts';
import { operationAt, proofs, serviceCall } from '#contract/serviceCalls.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathnameOf } from '#rules/url.ts';

/** What a call is authenticated with; undefined for a call that the service does not have. */
function proofOf({ method, url }: TimelineEntry) {
  const name = operationAt(method, pathnameOf(url));
  return name && serviceCall(name).proof;
}

const ofUserToken = 'userToken';

/** Returns the name of what belongs to a key: the wanted one for the first key, with a number for each other. */
function named(names: Map<string, string>, key: string, wanted: string): string {
  const name = names.get(key) ?? (names.size === 0 ? wanted : `${wanted}${names.size + 1}`);
  names.set(key, name);
  return name;
}

/**
 * The variables of the tokens and signing keys of each organisation and company, while calls are read in their order. Records
 * mask tokens: a call has the token by which the record was created that it names, otherwise the latest of the organisation
 * that it names, otherwise the latest.
 */
export function createCredentials() {
  const keys = new Map<string, string>();
  const tokens = new Map<string, string>();
  const ofRecords = new Map<string, string>();
  const ofOrganisations = new Map<string, string>();
  const organisationsOf = new Map<string, string>();
  let latest = 'token';

  const ownerIn = (owners: ReadonlyMap<string, string>, text: string): string | undefined =>
    [...owners].findLast(([id]) => text.includes(id))?.[1];

  /** The variable of the token with which a call is sent. */
  function token(entry: TimelineEntry): string {
    const proof: { by: string; token?: string } = proofs[proofOf(entry) ?? 'none'];
    if (proof.token === 'user') return ofUserToken;
    const {
      url,
      request: { body },
    } = entry;
    const text = `${url}\n${body}`;
    return ownerIn(ofRecords, text) ?? ownerIn(ofOrganisations, text) ?? latest;
  }

  return {
    token,
    /** The variable of the key with which a call is signed: that of the organisation that it names, or of its token. */
    signingKey(entry: TimelineEntry): string {
      if (proofOf(entry) === 'application') return 'signingKey';
      const organisation = entry.request.headers[header.organisation] ?? organisationsOf.get(token(entry)) ?? '';
      return named(keys, organisation, 'organisationKey');
    },
    /** The variable of the key that a response gives to an organisation. */
    givenKey: (organisationId: string): string => named(keys, organisationId, 'organisationKey'),
    /** The variable of the token that a response gives. */
    givenToken({ request: { headers } }: TimelineEntry): string {
      const organisation = headers[header.organisation] ?? '';
      latest = named(tokens, `${organisation} ${headers[header.company] ?? ''}`, 'token');
      if (organisation !== '') ofOrganisations.set(organisation, latest);
      organisationsOf.set(latest, organisation);
      return latest;
    },
    /** Notes which token has created a record. */
    created(id: string, token: string): void {
      if (token !== ofUserToken) ofRecords.set(id, token);
    },
  };
}

export type Credentials = ReturnType<typeof createCredentials>;
