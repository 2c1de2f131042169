import { z } from 'zod';
import { ibanFlaw } from './iban.ts';
import { memberOf } from './member.ts';
import { accepted, message } from './message.ts';
import { atMost, data, filled, identified, jsonSchema, text } from './shape.ts';

/** A paying bank account, with the flat names of the specification (section 3). */
export const debtorSchema = z
  .object({
    debtorId: text,
    debtorAccountname: text,
    debtorAgentidentification: text,
    debtorAccountidentification: text,
    currency: text,
    subscriptionId: text,
  })
  .meta({ id: 'Debtor' });

export const creditorSchema = z
  .object({
    creditorId: text,
    creditorname: text,
    creditorAgentidentification: text,
    creditorAccountidentification: text,
    creditorAccountSecondaryIdentification: text,
    creditorAddress1: text,
    creditorAddress3: text,
    creditorCountrySubDivision: text,
    creditorCountryCode: text,
    creditorPostalCode: text,
    subscriptionId: text,
  })
  .meta({ id: 'Creditor' });

const accountSchema = z.looseObject({
  identification: text.optional(),
  secondaryIdentification: text.optional(),
  name: text.optional(),
});

/** An account that the user or a program names; see `ibanFlaw`. */
export const namedAccountSchema = accountSchema.superRefine(({ identification = '' }, context) => {
  const message = ibanFlaw(identification);
  if (message) context.addIssue({ code: 'custom', path: ['identification'], message });
});

export const agentSchema = z.looseObject({ identification: text.optional() });

export const postalAddressSchema = z.looseObject({
  addressLine1: atMost(100).optional(),
  addressLine2: atMost(100).optional(),
  addressLine3: atMost(100).optional(),
  countrySubdivision: atMost(50).optional(),
  countryCode: text.optional(),
  postalCode: text.optional(),
});

/** The debtors and creditors in the answer to a query, nested like the bodies of puts. */
export const listedSchemas = {
  debtors: identified(
    'debtorId',
    z.looseObject({
      debtorId: text,
      debtorAccount: accountSchema.optional(),
      debtorAgent: agentSchema.optional(),
      currency: text.optional(),
      subscriptionId: text.optional(),
    }),
  ),
  creditors: identified(
    'creditorId',
    z.looseObject({
      creditorId: text,
      creditor: z.looseObject({ name: text.optional(), postalAddress: postalAddressSchema.optional() }).optional(),
      creditorAccount: accountSchema.optional(),
      creditorAgent: agentSchema.optional(),
      subscriptionId: text.optional(),
    }),
  ),
};

export type Debtor = z.infer<typeof debtorSchema>;
export type Creditor = z.infer<typeof creditorSchema>;

/** The body of a put: ids, and the nested values of the form (behaviour, section 7). */
const partyPut = <Ids extends Record<string, z.ZodString | z.ZodUUID>>(ids: Ids) =>
  message(
    z
      .object(ids)
      .catchall(jsonSchema)
      .superRefine((put, context) => {
        for (const account of ['debtorAccount', 'creditorAccount']) {
          const given = memberOf(memberOf(put, account), 'identification');
          const flaw = typeof given === 'string' ? ibanFlaw(given) : '';
          if (flaw) context.addIssue({ code: 'custom', path: [account, 'identification'], message: flaw });
        }
      }),
  );

const listQuery = data(z.object({ subscriptionId: filled }));

export const partyShapes = {
  putDebtor: { body: partyPut({ debtorId: z.uuid(), subscriptionId: filled }), answer: accepted },
  putCreditor: { body: partyPut({ creditorId: z.uuid(), subscriptionId: filled }), answer: accepted },
  queryDebtors: { body: listQuery, answer: accepted },
  queryCreditors: { body: listQuery, answer: accepted },
  deleteDebtor: { body: message(z.object({ subscriptionId: filled, debtorId: filled })), answer: accepted },
  deleteCreditor: { body: message(z.object({ subscriptionId: filled, creditorId: filled })), answer: accepted },
  getDebtors: { answer: data(z.array(debtorSchema)) },
  getCreditors: { answer: data(z.array(creditorSchema)) },
};
