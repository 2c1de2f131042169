import { testPaths } from '#tests/support/pathsTests.ts';
import { debtorModel } from './party.models.ts';

testPaths(debtorModel);
