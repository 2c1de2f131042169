import { testPaths } from '#tests/support/pathsTests.ts';
import { accountModel } from './form.models.ts';

testPaths(accountModel);
