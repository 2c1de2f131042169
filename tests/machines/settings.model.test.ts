import { testPaths } from '#tests/support/pathsTests.ts';
import { settingsModel } from './settings.models.ts';

testPaths(settingsModel);
