import type { Journey } from './journey.ts';

export const additionalData = {
  id: 'additionalData',
  path: '/additionaldata',
  title: 'Additional Data',
  summary: "Tries a provider's rules: the form they make, which rule fires and the JSON that would be sent.",
  requires: [],
  after: [],
  provides: [],
} as const satisfies Journey;
