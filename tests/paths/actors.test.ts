import { env } from 'node:process';
import { describe } from 'vitest';
import { areaNames } from '#machines/journeys.ts';
import { testPathsOf } from './actorPaths.ts';

/** The area that mutants are tried on; usually all. */
const only = env['AREA'];

describe.each(areaNames.filter((area) => only === undefined || area === only))(
  'the machines in the area %s',
  testPathsOf,
);
