import { messagingHealthMachine, type HealthRow } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { look } from './look.ts';

export const machine = messagingHealthMachine.provide(
  look<HealthRow>(async (_, signal) => ({
    ...(await call('getMessagingHealth', { signal })).data,
    status: 'Up',
    readAt: new Date().toISOString(),
  })),
);
