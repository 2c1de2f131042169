import type { ZodOpenApiObject } from 'zod-openapi';
import type { z } from 'zod';
import { version } from '#server/version.ts';

/** How each OpenAPI document of this project begins. */
export const headOf = (title: string, description: string, url = '/') =>
  ({
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Unlicensed', identifier: 'UNLICENSED' } },
    servers: [{ url }],
    security: [],
  }) satisfies Omit<ZodOpenApiObject, 'paths'>;

export const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

/** A name in words: "createBatch" is "create batch". */
export const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

/** Refusals, by status and as a default, because generators of clients make no name of a range such as `4XX`. */
export const refusalsOf = (problem: z.ZodType, refused: string) => {
  const body = { content: { 'application/problem+json': { schema: problem } } };
  return {
    400: { description: 'The request is not valid', ...body },
    default: { description: refused, ...body },
  };
};
