import { testPaths } from '#tests/support/pathsTests.ts';
import { transferModel } from './settings.models.ts';

testPaths(transferModel);
