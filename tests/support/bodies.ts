import type { Body } from '#contract/shapes.ts';

/** Bodies of writes that the console takes. */
export const organisationBody: Body<'createOrganisation'> = {
  sageCRMId: 'crm',
  primaryCountry: 'GBR',
  adminEmail: 'admin@example.com',
  defaultLanguage: 'EN',
};

export const companyBody = (name: string): Body<'createCompany'> => ({
  name,
  externalId: name.slice(0, 3),
  taxNumber: 'GB1',
  standardIndustrialCode: '62012',
  contactTelNo: '+44 20 7946 0000',
  contactEmail: 'user@example.com',
});
