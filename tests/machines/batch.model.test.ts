import { testPaths } from '#tests/support/pathsTests.ts';
import { batchModel } from './batch.models.ts';

testPaths(batchModel);
