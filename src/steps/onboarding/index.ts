import type { StepTable } from '../step.ts';
import { AccessTokenStep } from './AccessTokenStep.tsx';
import { AccountStep, CompanyStep, DatasetStep, OrganisationStep } from './FormSteps.tsx';
import { UserTokenStep } from './UserTokenStep.tsx';
import { pathOf } from '#contract/serviceCalls.ts';
import { requests } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';
import { accountBody, datasetBody } from '#rules/forms.ts';
import { ownBody } from '#rules/ownForm.ts';
import { contextIn, nothing, type PreviewOf } from '../preview.ts';

const organisation: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createOrganisation(ownBody('organisation', values), key), lineOf: (field) => field };
};

const company: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createCompany(ownBody('company', values), key), lineOf: (field) => field };
};

const accessToken: PreviewOf = (snapshot, { settings: { organisationId, companyId } }) =>
  contextIn<{ token: object | null }>(snapshot).token === null
    ? { request: requests.accessToken(organisationId, companyId), lineOf: nothing }
    : null;

/** Placeholders: the logged-in user is read when the account is sent. */
const loggedIn = { email: '$EMAIL', sub: '$USER_ID' };

const account: PreviewOf = (snapshot, { settings }, key) => ({
  request: requests.createAccount(
    accountBody(contextIn<FormState>(snapshot).values, loggedIn, settings.acceptLanguage),
    key,
  ),
  lineOf: (field) => `data.attributes.${field}`,
  later: '$EMAIL and $USER_ID are those of the logged-in user, read when the request is sent.',
});

const dataset: PreviewOf = (snapshot, _, key) => ({
  request: requests.createDataset(datasetBody(contextIn<FormState>(snapshot).values), key),
  lineOf: (field) => `data.attributes.${field}`,
});

/** How the journeys of this area present themselves. */
export const onboardingSteps = {
  organisation: {
    Step: OrganisationStep,
    layout: 'form',
    calls: ['createOrganisation'],
    preview: organisation,
  },
  company: {
    Step: CompanyStep,
    layout: 'form',
    calls: ['createCompany'],
    preview: company,
  },
  accessToken: {
    Step: AccessTokenStep,
    layout: 'form',
    address: pathOf('accessToken'),
    preview: accessToken,
  },
  userToken: {
    Step: UserTokenStep,
    layout: 'form',
    address: pathOf('userInfo'),
  },
  account: {
    Step: AccountStep,
    layout: 'form',
    calls: ['createAccount'],
    preview: account,
  },
  dataset: {
    Step: DatasetStep,
    layout: 'form',
    calls: ['createDataset'],
    preview: dataset,
  },
} as const satisfies StepTable;
