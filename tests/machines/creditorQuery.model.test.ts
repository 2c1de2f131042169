import { testPaths } from '#tests/support/pathsTests.ts';
import { creditorQueryModel } from './party.models.ts';

testPaths(creditorQueryModel);
