import { testPaths } from '#tests/support/pathsTests.ts';
import { filePaymentModel } from './payment.models.ts';

testPaths(filePaymentModel);
