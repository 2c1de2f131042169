import { testPaths } from '#tests/support/pathsTests.ts';
import { subscriptionModel } from './subscription.models.ts';

testPaths(subscriptionModel);
