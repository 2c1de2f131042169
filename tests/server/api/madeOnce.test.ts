import { expect, it, vi } from 'vitest';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { sharedSandbox } from '#tests/support/consoleWithUsers.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { header as headerNames } from '#server/upstream/wire.ts';

/** The names of the functions that were called to make something. */
const { made, counted } = vi.hoisted(() => {
  const names: string[] = [];
  /** Returns a module whose makers are counted. */
  const countedModule =
    (...makers: string[]) =>
    async (original: () => Promise<Record<string, unknown>>) => {
      const module = await original();
      const wrapped = makers.map((name) => {
        const make = module[name] as (...given: unknown[]) => unknown; // named below
        return [name, (...given: unknown[]) => (names.push(name), make(...given))] as const;
      });
      return { ...module, ...Object.fromEntries(wrapped) };
    };
  return { made: names, counted: countedModule };
});

vi.mock('#server/api/routes.ts', counted('createRoutes'));
vi.mock('#server/api/contexts.ts', counted('createContexts'));
vi.mock('#server/api/programs.ts', counted('programHandlers'));
vi.mock('#server/calls/idempotency.ts', counted('createIdempotency'));
vi.mock('#server/calls/retryWindow.ts', counted('createRetryWindows'));
vi.mock('#server/upstream/http.ts', counted('createHttp'));
vi.mock('#server/upstream/signer.ts', counted('createSigner'));
vi.mock('#server/upstream/tokens.ts', counted('createTokens'));
vi.mock('#server/programs/tokens.ts', counted('createProgramTokens'));
vi.mock('#server/webhooks/authentic.ts', counted('authenticity'));

const webhook = JSON.stringify({ type: 'batchUpdated', resource: { id: 'b', type: 'batch' } });

it('two requests of each kind, and two webhooks, make no handlers, clients, tokens or configurations beyond those of the start', async () => {
  const { url, done } = await testConsole({
    upstreamUrl: async (consoleUrl) => (await testSandbox({ webhookUrl: consoleUrl + notificationsPath })).url,
  });
  const each = async () => {
    await done('getSettings');
    await done('getFacts');
    await done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    await done('getProviders');
    await done('getPrograms');
    await done('getLab');
    await done('createOrganisation', { body: organisationBody });
    await done('createCompany', { body: companyBody('Two') });
    await done('getToken');
    expect((await deliver(url, webhook)).status).toBe(204);
  };
  await each();
  expect(made.filter((name) => name === 'createRoutes')).toHaveLength(1);
  expect(made).toEqual(expect.arrayContaining(['programHandlers', 'createTokens', 'createSigner']));
  made.length = 0;
  await each();
  expect(made).toEqual([]);
});

it('two users with applications of their own get one client each, whatever number of requests and webhooks comes', async () => {
  const { url, config, signedIn } = await sharedSandbox();
  const users = [await signedIn('one'), await signedIn('two')];
  const { workspaces } = config;
  const each = async () => {
    for (const { done } of users) {
      await done('getFacts');
      await done('getProviders');
    }
    for (const name of ['one', 'two']) {
      const {
        applicationId,
        webhook: { secret = '', header },
      } = workspaces!.upstreamOf(name);
      const agreed = header && { [header.name]: header.value };
      const headers = { [headerNames.application]: applicationId };
      expect((await deliver(url, webhook, { secret, ...(agreed && { agreed }), headers })).status).toBe(204);
    }
  };
  await each();
  made.length = 0;
  await each();
  expect(made).toEqual([]);
  expect(workspaces!.upstreamOf('one')).toBe(workspaces!.upstreamOf('one'));
});
