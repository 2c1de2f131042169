import { testPaths } from '#tests/support/pathsTests.ts';
import { additionalDataModel } from './settings.models.ts';

testPaths(additionalDataModel);
