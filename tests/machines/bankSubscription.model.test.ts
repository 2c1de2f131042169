import { testPaths } from '#tests/support/pathsTests.ts';
import { bankSubscriptionModel } from './subscription.models.ts';

testPaths(bankSubscriptionModel);
