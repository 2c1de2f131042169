import { testPaths } from '#tests/support/pathsTests.ts';
import { creditorModel } from './party.models.ts';

testPaths(creditorModel);
