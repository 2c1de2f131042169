import { testPaths } from '#tests/support/pathsTests.ts';
import { userTokenModel } from './token.models.ts';

testPaths(userTokenModel);
