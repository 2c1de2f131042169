import { testPaths } from '#tests/support/pathsTests.ts';
import { batchListModel } from './batch.models.ts';

testPaths(batchListModel);
