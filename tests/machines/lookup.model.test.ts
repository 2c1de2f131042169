import { testPaths } from '#tests/support/pathsTests.ts';
import * as models from './lookup.models.ts';

Object.values(models).forEach(testPaths);
