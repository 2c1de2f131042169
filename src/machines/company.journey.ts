import type { Journey } from './journey.ts';

export const company = {
  id: 'company',
  path: '/createcompany',
  title: 'Create Company',
  group: 'Org/Comp',
  summary: 'Creates a company of the organisation with POST /api/company.',
  requires: ['organisation'],
  after: ['organisation'],
  provides: ['company'],
  guided: 'always',
} as const satisfies Journey;
