import { secretIsSet } from '#contract/secrets.ts';
import { accessTokenMachine } from '#machines/onboarding/accessToken.machine.ts';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { modelOf } from '#tests/support/paths.ts';

export const tokenShown = (token: string) => ({
  token,
  expiresAt: '2026-11-20T09:20:00.000Z',
  companyId: 'company-1',
  organisationId: 'organisation-1',
});

export const accessTokenModel = modelOf(accessTokenMachine)({
  events: {},
  facts: {
    'no organisation': factsAfter('settings'),
    'no company': factsAfter('organisation'),
    'a company': factsAfter('company'),
    'a company, live': { ...factsAfter('company'), environment: 'live' },
  },
  reads: ({ facts }) => facts.environment,
  answers: {
    obtainToken: { 'a masked token': tokenShown(secretIsSet), 'the token itself': tokenShown('token-1') },
  },
});

export const userTokenModel = modelOf(userTokenMachine)({
  events: {},
  inputs: ['', 'ok', 'access_denied'].map((outcome) => ({ outcome, interactionId: '' })),
  facts: { 'no user token': factsAfter('accessToken'), 'a user token': factsAfter('userToken') },
  answers: {
    startLogin: { 'a login': { action: 'http://identity.test/authorize', fields: { response_type: 'token' } } },
  },
});
