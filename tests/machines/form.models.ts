import { accountMachine } from '#machines/onboarding/account.machine.ts';
import { companyMachine } from '#machines/onboarding/company.machine.ts';
import { datasetMachine } from '#machines/onboarding/dataset.machine.ts';
import { organisationMachine } from '#machines/onboarding/organisation.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/typing.ts';

const form = { events: typed, reads: errorsIn };

export const organisationModel = modelOf(organisationMachine)({
  answers: {
    loadFacts: { 'no organisation': factsAfter('settings'), 'no company': factsAfter('organisation') },
    submit: { organisation: { organisationId: 'organisation-1' } },
  },
  ...form,
});

export const companyModel = modelOf(companyMachine)({
  answers: {
    loadFacts: {
      'no organisation': factsAfter('settings'),
      'no company': factsAfter('organisation'),
      'a company': factsAfter('company'),
    },
    submit: { company: { companyId: 'company-1' } },
  },
  ...form,
});

export const accountModel = modelOf(accountMachine)({
  answers: {
    loadFacts: {
      'no user token': factsAfter('accessToken'),
      'a user token': factsAfter('userToken'),
      'an account': factsAfter('account'),
    },
    submit: { account: { accountId: 'account-1' } },
  },
  ...form,
});

export const datasetModel = modelOf(datasetMachine)({
  answers: {
    loadFacts: {
      'no user token': factsAfter('accessToken'),
      'no account': factsAfter('userToken'),
      'an account': factsAfter('account'),
      'a data set that is there': factsAfter('dataset'),
    },
    submit: { 'data set': { dataSetId: 'dataset-1' } },
  },
  ...form,
});
