import { describe } from 'vitest';
import { areas, walksConsole } from '#tests/support/coverage.ts';
import { testPathsOf, testPathsOfTools } from './actorPaths.ts';

describe.each(areas)('the machines in the area %s', testPathsOf);
// The workspace belongs to onboarding.
describe.runIf(walksConsole || areas.includes('onboarding'))('the machines of tools', testPathsOfTools);
