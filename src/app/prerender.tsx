import createCache from '@emotion/cache';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router-dom';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { Root, styleKey } from './App.tsx';
import { setServerMeta } from './client/serverMeta.ts';

const routerAt = (path: string) =>
  function At({ children }: { children: ReactNode }) {
    return <StaticRouter location={path}>{children}</StaticRouter>;
  };

/** The paths of the journeys' pages. */
export const journeyPaths: readonly string[] = journeyOrder.map((id) => journeyOf(id).path);

/** The paths of their charts, whose pages are the same until their code has loaded. */
export const chartPaths: readonly string[] = journeyOrder.map((id) => `/journeys/${id}`);

/**
 * Renders the page at a path without personal data, and without what its own code renders. `styles` are the contents of its style elements by their attribute
 * data-emotion, with which the browser's cache recognises styles that exist already.
 */
export async function rendered(
  path: string,
  environment: string,
): Promise<{ markup: string; styles: Record<string, string> }> {
  setServerMeta('environment', environment);
  const cache = createCache({ key: styleKey });
  cache.compat = true; // keeps the styles in the cache instead of inserting them between the elements
  const errors: unknown[] = [];
  const { prelude } = await prerender(<Root cache={cache} router={routerAt(path)} />, {
    // Large parts would otherwise be moved into place by inline script, which the policy forbids.
    progressiveChunkSize: Infinity,
    onError: (error) => void errors.push(error),
  });
  if (errors.length > 0) throw new AggregateError(errors, `The page at ${path} cannot be rendered`);
  const markup = await new Response(prelude).text();
  const all = Object.entries(cache.inserted).filter((each): each is [string, string] => typeof each[1] === 'string');
  const isLocal = ([name]: [string, string]) => cache.registered[`${styleKey}-${name}`] !== undefined;
  const local = all.filter(isLocal);
  return {
    markup: markup.replace(/<title>.*?<\/title>/, ''), // React adds its own to the head in the browser
    styles: Object.fromEntries([
      ...all.filter((each) => !isLocal(each)).map(([name, css]) => [`${styleKey}-global ${name}`, css]),
      [`${styleKey} ${local.map(([name]) => name).join(' ')}`, local.map(([, css]) => css).join('')],
    ]) as Record<string, string>, // of the entries above
  };
}
