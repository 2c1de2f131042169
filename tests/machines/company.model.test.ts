import { testPaths } from '#tests/support/pathsTests.ts';
import { companyModel } from './form.models.ts';

testPaths(companyModel);
