import { testPathsOf } from '#tests/support/pathsTests.ts';

testPathsOf('batch');
