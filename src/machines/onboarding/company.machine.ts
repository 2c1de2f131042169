import type { Form } from '#rules/field.ts';
import { formChart } from '../form.chart.ts';
import { textField } from '../form.ts';
import { company } from './journeys.ts';

/** All six fields are required (behaviour, section 5); lengths from wire, section 2.3. */
const form: Form = {
  fields: [
    textField('name', 'Name', 'At most 100 characters', 'Example Trading Ltd', '^.{1,100}$'),
    textField(
      'externalId',
      'External id',
      'Your own id of the company, at most 36 characters',
      'company-0001',
      '^.{1,36}$',
    ),
    textField('taxNumber', 'Tax number', 'At most 50 characters', 'GB123456789', '^.{1,50}$'),
    textField('standardIndustrialCode', 'Standard industrial code', 'At most 50 characters', '62012', '^.{1,50}$'),
    textField('contactTelNo', 'Contact telephone number', 'At most 50 characters', '+44 20 7946 0000', '^.{1,50}$'),
    textField(
      'contactEmail',
      'Contact e-mail',
      'A working mail box',
      'accounts@example.com',
      '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    ),
  ],
};

export const companyMachine = formChart<{ companyId: string }>({
  id: company.id,
  requires: company.requires,
  another: 'company',
  form,
});
