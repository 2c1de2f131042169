import { testPaths } from '#tests/support/pathsTests.ts';
import { authorisationModel } from './subscription.models.ts';

testPaths(authorisationModel);
