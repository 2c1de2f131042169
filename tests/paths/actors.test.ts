import { env } from 'node:process';
import { describe } from 'vitest';
import { areaNames } from '#machines/journeys.ts';
import { testPathsOf } from './actorPaths.ts';

/** The area under test when mutants run; otherwise all areas. */
const only = env['AREA'];

describe.each(areaNames.filter((area) => only === undefined || area === only))(
  'the machines in the area %s',
  testPathsOf,
);
