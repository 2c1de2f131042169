import type { User } from './user.ts';
import { onboarding } from './users/onboarding.ts';
import { party } from './users/party.ts';
import { payment } from './users/payment.ts';
import { readers } from './users/readers.ts';
import { subscription } from './users/subscription.ts';

/** The simulated users of each journey, by their goal. */
export const users: Readonly<Record<string, User>> = {
  ...onboarding,
  ...subscription,
  ...party,
  ...payment,
  ...readers,
};
