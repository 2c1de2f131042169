import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { programTokenHeader } from '#contract/programs.ts';
import { baseString } from '#contract/requests/baseString.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { eventually } from './eventually.ts';
import { apiAt } from './api.ts';
import { sandboxCredentials as credentials } from './sandboxCredentials.ts';

export const common = { [header.application]: credentials.applicationId, [header.apiKey]: credentials.apiKey };

export const hmac = (key: string, signs: string) => createHmac('sha1', key).update(signs).digest('base64');

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  answer: string;
  bytes: Buffer;
}

/** Makes a call exactly as given: the path is not normalised, and any header can be sent. Rejects if it breaks off. */
export function ask(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  body: string | Buffer = '',
): Promise<Answered> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers, agent: false })
      .on('error', reject)
      .on('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        buffer(response).then(
          (bytes) => resolve({ status, headers: answered, answer: bytes.toString(), bytes }),
          reject,
        );
      })
      .end(body);
  });
}

export const organisation = (more: object = {}) =>
  JSON.stringify({
    sageCRMId: '1',
    primaryCountry: 'GBR',
    adminEmail: 'a@example.com',
    defaultLanguage: 'EN',
    externalId: '1',
    ...more,
  });

/**
 * A program of an integrator that calls through a console, with a token of its own; what it signs is an address, by
 * default the one that it calls.
 */
export async function integratorAt(url: string, api: ReturnType<typeof apiAt> = apiAt(url)) {
  const { token, made } = (await api.done('makeProgramToken', { body: { name: 'My program' } })).data;

  const entryOf = (mark: string): Promise<TimelineEntry> =>
    eventually(async () => {
      const { data } = await api.done('getTimeline', { query: { kind: 'program', text: mark } });
      expect(data).toHaveLength(1);
      return data[0]!; // just checked
    });

  async function called(
    method: string,
    path: string,
    headers: Record<string, string | string[]> = {},
    body: string | Buffer = '',
  ) {
    const mark = randomUUID();
    const all = {
      [programTokenHeader]: token,
      'x-fapi-interaction-id': mark,
      ...(body.length > 0 && { 'content-type': 'application/json' }),
      ...headers,
    };
    const answered = await ask(url, method, `/program${path}`, all, body);
    return { ...answered, mark, entry: () => entryOf(mark) };
  }

  async function signed(
    { at = `${url}/program`, method = 'POST', path = endpoints.createOrganisation, ...more }: Signing = {},
    body = method === 'GET' ? '' : organisation(),
  ) {
    const { key = credentials.signingKey, headers = {}, sign = (right: string) => hmac(`${key}&null`, right) } = more;
    const nonce = randomUUID();
    const right = baseString({ method, url: at + path, body, nonce });
    const all = { ...common, [header.nonce]: nonce, [header.signature]: sign(right, key), ...headers };
    return { ...(await called(method, path, all, body)), right, nonce };
  }

  /** Makes an organisation and a company, and returns the headers of the company's calls. */
  async function company() {
    const { organisationId, primarySigningKey: key } = JSON.parse((await signed()).answer) as Record<string, string>; // the service's answer
    const tokenOf = async (companyId: string) => {
      const headers = { [header.organisation]: organisationId!, [header.company]: companyId };
      const { answer } = await signed({ method: 'GET', path: endpoints.accessToken, key: key!, headers });
      const { jwt } = JSON.parse(answer) as { jwt: string }; // the service's answer
      return { ...common, authorization: `Bearer ${jwt}` };
    };
    const ofOrganisation = { ...(await tokenOf('')), [header.idempotency]: randomUUID() };
    const { answer } = await called('POST', endpoints.createCompany, ofOrganisation, '{"externalId":"1"}');
    const { companyId } = JSON.parse(answer) as { companyId: string }; // the service's answer
    return { organisationId: organisationId!, companyId, key: key!, headers: await tokenOf(companyId) };
  }

  return { token, made, called, signed, company, api };
}

interface Signing {
  /** The address that is signed, without the service's path. */
  at?: string;
  method?: string;
  path?: string;
  key?: string;
  headers?: Record<string, string>;
  sign?: (right: string, key: string) => string;
}
