import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { answers as read } from '#server/upstream/answers.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import type { Request } from '#tests/support/api.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { askingCalls, type AskingCall } from '#tests/support/hostileCalls.ts';
import { membersOf, wholeOf, withAt } from '#tests/support/schemaMembers.ts';
import { firstCompany } from '#tests/support/store.ts';

const { providers, subscriptions, batches, accounts, datasets, createOrganisation, createCompany } = endpoints;
/** For each call the endpoint of its response, and the schema that parses it. */
const answers = {
  getProviders: [providers, read.providers],
  getProvider: [providers, read.provider],
  getLocalInstruments: [endpoints.localInstruments, read.localInstruments],
  getFileFormats: [endpoints.fileFormats, read.fileFormats],
  getBanks: [endpoints.banks, read.banks],
  getSubscription: [subscriptions, read.subscription],
  getBatch: [batches, read.batch],
  getTranslation: [endpoints.translations, read.translation],
  getConsumerHealth: [endpoints.consumerStatus, read.health],
  getMessagingHealth: [endpoints.messagingStatus, read.health],
  getUserInfo: [endpoints.userInfo, read.userInfo],
  getToken: [endpoints.accessToken, read.token],
  createOrganisation: [createOrganisation, read.organisation],
  createCompany: [createCompany, read.company],
  createAccount: [accounts, read.account],
  createDataset: [datasets, read.dataset],
  createSubscription: [subscriptions, read.subscriptionCreated],
  createBatch: [batches, read.batchCreated],
  // Facts are based on several responses; the others are valid.
  getFacts: [subscriptions, read.subscription],
} as const satisfies Partial<Record<AskingCall, readonly [string, z.ZodType]>>;

/** Calls whose response must name the requested id, which is the text that `wholeOf` generates. */
const named: Partial<Record<AskingCall, object>> = {
  getSubscription: { params: { subscriptionId: 'text' } },
  getBatch: { params: { batchId: 'text' } },
};

describe.each(Object.entries(answers))('A response to %s', (call, [prefix, schema]) => {
  const name = call as keyof typeof answers; // a key of the table
  // A token needs a valid expiry.
  const whole = name === 'getToken' ? { jwt: unsignedJwt(1_000_000_000) } : wholeOf(schema);
  const spoilt = membersOf(schema).flatMap(({ place }) => [null, {}].map((value) => withAt(whole, place, value)));
  const cases = [whole, ...spoilt];

  it('with any one member null or of a wrong type is accepted, or refused with a problem (wire 14.1)', async () => {
    const { url, scripts } = await fakeUpstream({});
    let [passed, taken] = [0, 0];
    const { call: ask, store } = await testConsole({
      upstreamUrl: url,
      rate: { perSecond: 1_000_000, burst: 1_000_000 },
      limits: { backOff: 1, budget: 1 },
      clock: { ...systemClock, now: () => systemClock.now() + passed, steady: () => systemClock.steady() + passed },
    });
    for (const [at, answer] of cases.entries()) {
      // The console caches responses of the service for a minute.
      passed += 61_000;
      scripts[prefix] = answering(answer);
      await store.companies.select(firstCompany);
      const userJwt = unsignedJwt(1_000_000_000);
      const own = { organisationId: 'o', companyId: 'c', companySigningKey: 'key', userJwt, subscriptionId: 's' };
      await store.settings.writeAll(own);
      const request = { ...askingCalls(url, `own-${at}`)[name], ...named[name] } as Request<AskingCall>; // the call's own
      const { status, ...reply } = await ask<AskingCall>(name, request);
      const told = `${JSON.stringify(answer)} is answered with ${status} ${JSON.stringify('problem' in reply && reply.problem)}`;
      expect(reply.ok || ![500, 501].includes(status), told).toBe(true);
      if (reply.ok) taken += 1;
      else expect(['upstream-invalid', 'key-rejected'], told).toContain(reply.problem.code);
    }
    expect(taken).toBeGreaterThan(0);
  });
});
