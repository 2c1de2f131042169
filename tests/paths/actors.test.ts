import { describe } from 'vitest';
import { areas } from '#tests/support/coverage.ts';
import { testPathsOf } from './actorPaths.ts';

describe.each(areas)('the machines in the area %s', testPathsOf);
