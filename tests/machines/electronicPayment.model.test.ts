import { testPaths } from '#tests/support/pathsTests.ts';
import { electronicPaymentModel } from './payment.models.ts';

testPaths(electronicPaymentModel);
