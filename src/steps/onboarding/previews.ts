import { requests } from '#contract/requests/requests.ts';
import type { FormState } from '#machines/lib/form.ts';
import { accountBody, datasetBody, ownBody } from '#rules/forms.ts';
import { contextIn, nothing, type PreviewOf } from '../preview.ts';

export const organisation: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createOrganisation(ownBody('organisation', values), key), lineOf: (field) => field };
};

export const company: PreviewOf = (snapshot, _, key) => {
  const { values } = contextIn<FormState>(snapshot);
  return { request: requests.createCompany(ownBody('company', values), key), lineOf: (field) => field };
};

export const accessToken: PreviewOf = (_, { settings: { organisationId, companyId } }) => ({
  request: requests.accessToken(organisationId, companyId),
  lineOf: nothing,
});

/** Placeholders: the logged-in user is read when the account is sent. */
const loggedIn = { email: '$EMAIL', sub: '$USER_ID' };

export const account: PreviewOf = (snapshot, { settings }, key) => ({
  request: requests.createAccount(
    accountBody(contextIn<FormState>(snapshot).values, loggedIn, settings.acceptLanguage),
    key,
  ),
  lineOf: (field) => `data.attributes.${field}`,
  later: '$EMAIL and $USER_ID are those of the logged-in user, read when the request is sent.',
});

export const dataset: PreviewOf = (snapshot, _, key) => ({
  request: requests.createDataset(datasetBody(contextIn<FormState>(snapshot).values), key),
  lineOf: (field) => `data.attributes.${field}`,
});
