import type { Journey } from './journey.ts';

export const organisation = {
  id: 'organisation',
  path: '/createorganisation',
  title: 'Create Organisation',
  group: 'Org/Comp',
  summary: 'Creates the organisation with POST /api/organisation; its signing key stays on the server.',
  requires: [],
  after: ['settings'],
  provides: ['organisation'],
  guided: 'always',
} as const satisfies Journey;
