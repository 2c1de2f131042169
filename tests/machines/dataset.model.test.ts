import { testPaths } from '#tests/support/pathsTests.ts';
import { datasetModel } from './form.models.ts';

testPaths(datasetModel);
