import {
  accountMachine,
  companyMachine,
  datasetMachine,
  organisationMachine,
} from '#machines/onboarding/forms.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/formTyping.ts';

const form = {
  events: typed,
  reads: (context: Parameters<typeof errorsIn>[0] & { beside: string }) => [errorsIn(context), context.beside],
};

export const organisationModel = modelOf(organisationMachine)({
  facts: { 'no organisation': factsAfter('settings'), 'no company': factsAfter('organisation') },
  answers: { submit: { organisation: { organisationId: 'organisation-1' } } },
  ...form,
});

export const companyModel = modelOf(companyMachine)({
  facts: {
    'no organisation': factsAfter('settings'),
    'no company': factsAfter('organisation'),
    'a company': factsAfter('company'),
  },
  answers: { submit: { company: { companyId: 'company-1' } } },
  ...form,
});

export const accountModel = modelOf(accountMachine)({
  facts: {
    'no user token': factsAfter('accessToken'),
    'a user token': factsAfter('userToken'),
    'an account': factsAfter('account'),
  },
  answers: { submit: { account: { accountId: 'account-1' } } },
  ...form,
});

export const datasetModel = modelOf(datasetMachine)({
  facts: {
    'no user token': factsAfter('accessToken'),
    'no account': factsAfter('userToken'),
    'an account': factsAfter('account'),
    'a data set that is there': factsAfter('dataset'),
  },
  answers: { submit: { 'data set': { dataSetId: 'dataset-1' } } },
  ...form,
});
