import { notSent, type Example } from '#rules/sentExample.ts';
import type { Act, ResourceKind } from '../lib/resource.machine.ts';

/** Sends an example of an operation to the sandbox. */
export interface SendExample extends Act, Example {
  act: 'send';
}

export const exampleKind: ResourceKind<null, SendExample> = {
  permits: (act) => notSent(act) === '',
  asks: ({ operation }) => operation.method !== 'GET',
  changesFacts: ({ operation }) => operation.method !== 'GET',
};
