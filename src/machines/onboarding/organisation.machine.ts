import type { Form } from '#rules/field.ts';
import { formChart } from '../form.chart.ts';
import { textField } from '../form.ts';
import { organisation } from './journeys.ts';

/** All four fields are required (behaviour, section 5); the form hints at the two kinds of code (behaviour, section 2). */
const form: Form = {
  fields: [
    textField('sageCRMId', 'Sage CRM id', 'Customer or product serial number', 'CRM-000123'),
    textField('primaryCountry', 'Primary country', 'A 3-letter country code', 'GBR', '^[A-Z]{3}$'),
    textField(
      'adminEmail',
      'Admin e-mail',
      'A working mail box',
      'admin@example.com',
      '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    ),
    textField('defaultLanguage', 'Default language', 'A 2-letter language code', 'EN', '^[A-Za-z]{2}$'),
  ],
};

export const organisationMachine = formChart<{ organisationId: string }>({
  id: organisation.id,
  requires: organisation.requires,
  another: 'organisation',
  form,
});
