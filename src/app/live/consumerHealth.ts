import { consumerHealthMachine, type HealthRow } from '#machines/lookup.machine.ts';
import { call } from '../client.ts';
import { look } from './look.ts';

export const machine = consumerHealthMachine.provide(
  look<HealthRow>(async (_, signal) => ({
    ...(await call('getConsumerHealth', { signal })).data,
    status: 'Up',
    readAt: new Date().toISOString(),
  })),
);
