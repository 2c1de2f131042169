import { z } from 'zod';
import { besideQuery, data, filled, formShape, printedOrWrapped, text } from './shape.ts';

/** JSON:API style (behaviour, section 3: account create body; wire, section 2.5). */
const accountBody = printedOrWrapped(
  z.object({
    type: z.literal('Account'),
    attributes: formShape('account').extend({ externalSource: filled }),
    owner: z.object({ user: z.object({ email: filled, locale: filled, identityId: filled }) }),
  }),
);

const datasetBody = printedOrWrapped(
  z.object({
    /** Printed without one; the service receives it. */
    type: z.literal('DataSet').default('DataSet'),
    attributes: formShape('dataset'),
  }),
);

/** The query of a call that exists to give a secret (behaviour, section 10.8). */
const revealQuery = {
  reveal: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'With `false` the secret is masked, as for a page that does not show it' }),
};

export const onboardingShapes = {
  createOrganisation: {
    query: z.object({ ...revealQuery, ...besideQuery }),
    body: formShape('organisation'),
    /** The signing key, until it is confirmed that it was shown; also in the answer to a repeat. */
    answer: z.object({ organisationId: text, primarySigningKey: text }),
  },
  useExisting: {
    body: formShape('existing'),
    answer: z.object({ organisationId: text, companyId: text }),
  },
  revealSigningKey: { body: z.object({ organisationId: filled }), answer: z.object({ signingKey: text }) },
  confirmSigningKey: { body: z.object({ organisationId: filled }), answer: data(z.null()) },
  /** `note`: why the key is stored although the service was not asked, or did not answer. */
  restoreSigningKey: { body: z.object({ organisationId: filled }), answer: data(z.object({ note: text.optional() })) },
  removeRecord: {
    body: z.object({ kind: z.enum(['subscription', 'batch', 'company', 'organisation']), id: filled }),
    answer: z.object({ removed: z.literal(true) }),
  },
  createCompany: {
    query: z.object(besideQuery),
    body: formShape('company'),
    answer: z.looseObject({ companyId: text }),
  },
  createAccount: {
    query: z.object(besideQuery),
    body: accountBody,
    answer: data(z.object({ data: z.looseObject({ id: text }) })),
  },
  createDataset: {
    query: z.object(besideQuery),
    body: datasetBody,
    answer: data(z.object({ data: z.looseObject({ id: text }) })),
  },
  getUserInfo: { answer: data(z.looseObject({ sub: text, email: text })) },
  getToken: {
    query: z.object(revealQuery),
    answer: data(z.object({ token: text, issuedAt: text, expiresAt: text, companyId: text, organisationId: text })),
  },
  /** Returns the action and fields of the GET form that starts the network login (behaviour, section 7). */
  startLogin: {
    answer: z.object({ action: text, fields: z.record(text, text) }),
  },
  storeUserToken: {
    /** As returned by the login, '' for missing values. The token is sent in a header. */
    body: z.object({ token: text.regex(/^[\x21-\x7e]*$/, 'a token without spaces'), state: text }),
    answer: z.object({ email: text, expiresAt: text }),
  },
};
