import { testPaths } from '#tests/support/pathsTests.ts';
import { accessTokenModel } from './token.models.ts';

testPaths(accessTokenModel);
