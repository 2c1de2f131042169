import { testPaths } from '#tests/support/pathsTests.ts';
import { debtorQueryModel } from './party.models.ts';

testPaths(debtorQueryModel);
