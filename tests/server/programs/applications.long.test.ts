import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxHomePath } from '#contract/faults.ts';
import { applicationNamed, credentialsOf } from '#server/sandbox/credentials.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { logInAt, userAgent } from '#tests/support/userAgent.ts';

/** The first start may include a build (ms). */
const patience = 120_000;

/** Console and embedded sandbox with users, in a process of their own. */
async function opened() {
  const program = await newConsole();
  onTestFinished(() => program.remove());
  const { issuer, clientId, clientSecret, publicUrl } = await identityProvider(program.url);
  await program.start({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret!,
    PUBLIC_URL: publicUrl,
  });
  return program;
}

/** A user who has signed in, with the credentials of the user's application. */
async function signedIn(program: ConsoleProcess, login: string) {
  const agent = userAgent();
  await agent.visit(await logInAt(agent, program.url, login));
  const cookie = [...agent.cookiesFor(program.url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const api = apiAt(program.url, () => ({ cookie }));
  const { service } = await api.done('getFacts');
  const credentials = credentialsOf(sandboxSecret, applicationNamed(service.applicationId));
  return { ...api, agent, credentials, sandbox: service.consumer };
}
type User = Awaited<ReturnType<typeof signedIn>>;

/** Calls the sandbox as a program of a user does; returns the interaction id. */
async function called({ sandbox, credentials }: Pick<User, 'sandbox' | 'credentials'>): Promise<string> {
  const id = randomUUID();
  const headers = { [header.application]: credentials.applicationId, [header.apiKey]: credentials.apiKey };
  const answer = await fetch(sandbox + endpoints.localInstruments, {
    headers: { ...headers, [header.interaction]: id },
  });
  expect(answer.status).toBe(200);
  return id;
}

describe('A program that calls a user’s sandbox', () => {
  it(
    'has its requests recorded in the timeline of that user only (behaviour 7.9)',
    async () => {
      const program = await opened();
      const [ada, ben] = [await signedIn(program, 'ada'), await signedIn(program, 'ben')];
      const entries = async ({ done }: User, id: string) =>
        (await done('getTimeline', { query: { kind: 'program', text: id } })).data;
      const [adas, bens] = [await called(ada), await called(ben)];
      const own = await eventually(async () => {
        const found = await entries(ada, adas);
        expect(found).toHaveLength(1);
        return found;
      });
      await eventually(async () => expect(await entries(ben, bens)).toHaveLength(1));
      expect([await entries(ada, bens), await entries(ben, adas)]).toEqual([[], []]);
      expect(JSON.stringify(own)).not.toContain(ada.credentials.apiKey);
      await called({ sandbox: program.sandboxUrl, credentials: credentialsOf(sandboxSecret) });
    },
    patience,
  );

  it(
    'gets its credentials from the sandbox’s home page, which only that user reaches',
    async () => {
      const program = await opened();
      const { agent, credentials } = await signedIn(program, 'ada');
      const { headers } = await agent.visit(program.url + sandboxHomePath);
      const home = headers.get('location') ?? '';
      expect(home.startsWith(`${program.sandboxUrl}${credentials.path}/?`)).toBe(true);
      const page = await (await fetch(home)).text();
      for (const each of ['applicationId', 'apiKey', 'signingKey', 'webhookSecret', 'resetToken'] as const)
        expect(page).toContain(credentials[each]);
      expect((await fetch(program.url + sandboxHomePath, { redirect: 'manual' })).status).toBe(401);
    },
    patience,
  );
});

describe('A webhook of an application', () => {
  it(
    'has no effect on another user’s records, even if it is authentic (threat 2.21; wire 6.3.4)',
    async () => {
      const program = await opened();
      const [ada, ben] = [await signedIn(program, 'ada'), await signedIn(program, 'ben')];
      await onboard(ada);
      const { subscriptionId } = await subscribe(ada);
      const read = async () => (await ada.done('listMessages')).data.map(({ state }) => state);
      await ada.done('setFault', {
        body: { on: 'webhook', of: 'any', fault: { kind: 'lose' }, times: 'always', probability: 1, seed: 1 },
      });
      await ada.done('queryDebtors', { body: { data: { subscriptionId } } });
      const [message] = (await ada.done('listMessages')).data;
      const states = await read();
      expect(states).toContain('waiting');
      const webhook = {
        type: 'debtoraccountlistqueryresponses',
        subscriptionId,
        interactionId: message!.messageId,
        resource: { id: subscriptionId, type: 'Subscription' },
        data: { debtors: [] },
      };
      const send = ({ webhookSecret: secret, webhookHeader: { name, value } }: User['credentials'], sender: string) =>
        deliver(program.url, JSON.stringify(webhook), {
          secret,
          agreed: { [name]: value },
          headers: sender === '' ? {} : { [header.application]: sender },
        });
      expect((await send(ben.credentials, ben.credentials.applicationId)).status).toBe(204);
      expect((await send(ben.credentials, ada.credentials.applicationId)).status).toBe(403);
      expect((await send(ben.credentials, '')).status).toBe(403);
      expect(await read()).toEqual(states);
      const unread = async ({ done }: User) => (await done('getSettings')).webhookData;
      expect([await unread(ada), (await unread(ben)).includes(subscriptionId)]).toEqual(['', true]);

      expect((await send(ada.credentials, ada.credentials.applicationId)).status).toBe(204);
      expect(await read()).not.toContain('waiting');
    },
    patience,
  );

  it(
    'shows no secret of its application in any timeline, whether accepted or refused (threat 2.22)',
    async () => {
      const program = await opened();
      const [ada, ben] = [await signedIn(program, 'ada'), await signedIn(program, 'ben')];
      await onboard(ada);
      const { subscriptionId } = await subscribe(ada);
      const secretsIn = ({ webhookSecret, webhookHeader: { value }, apiKey, signingKey }: User['credentials']) => [
        webhookSecret.replace('whsec_', ''),
        value,
        apiKey,
        signingKey,
      ];
      const secrets = [ada.credentials, ben.credentials, credentialsOf(sandboxSecret)].flatMap(secretsIn);
      const send = (to: User, signedBy: string) => {
        const { applicationId, webhookHeader: agreed } = to.credentials;
        const webhook = {
          type: 'subscriptionUpdated',
          subscriptionId,
          resource: { id: subscriptionId, note: secrets },
        };
        return deliver(program.url, JSON.stringify(webhook), {
          secret: signedBy,
          agreed: { [agreed.name]: agreed.value },
          headers: { [header.application]: applicationId, 'x-note': encodeURIComponent(agreed.value) },
        });
      };
      expect((await send(ada, ada.credentials.webhookSecret)).status).toBe(204);
      expect((await send(ben, ben.credentials.webhookSecret)).status).toBe(204);
      expect((await send(ada, ben.credentials.webhookSecret)).status).toBe(403);
      const shown = await Promise.all(
        [ada, ben].map(({ done }) => done('getTimeline', { query: { kind: 'webhook', limit: '100' } })),
      );
      expect(shown.every(({ data }) => data.some(({ request }) => request.headers['x-note']))).toBe(true);
      const own = [...secretsIn(ada.credentials), ...secretsIn(credentialsOf(sandboxSecret))];
      const [adas, bens] = shown.map((each) => JSON.stringify(each));
      for (const secret of own) expect(adas).not.toContain(secret);
      for (const secret of secretsIn(ben.credentials)) expect(bens).not.toContain(secret);
      expect(shown.flatMap(({ data }) => data.map(({ request }) => request.headers['x-webhook-key']))).toSatisfy(
        (values: string[]) => values.every((value) => value === '$WEBHOOK_KEY'),
      );
    },
    patience,
  );
});
