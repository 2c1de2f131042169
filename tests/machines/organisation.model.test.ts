import { testPaths } from '#tests/support/pathsTests.ts';
import { organisationModel } from './form.models.ts';

testPaths(organisationModel);
