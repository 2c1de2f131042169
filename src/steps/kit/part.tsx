import { useEffect, useState, type ComponentType } from 'react';
import { chunk } from './chunk.ts';

/** A part and a function that begins to load it. */
function loaded<Props extends object>(load: () => Promise<ComponentType<Props>>, Awaited: ComponentType) {
  let there: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const begin = () => (loading ??= chunk(load).then((component) => (there = component)));
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => there);
    useEffect(() => {
      const fail = (error: unknown) => {
        throw error;
      };
      // Also where it has arrived since this was drawn.
      begin().then(
        (component) => setLoaded(() => component),
        (error: unknown) => setLoaded(() => fail(error)),
      );
    }, []);
    return Loaded ? <Loaded {...props} /> : <Awaited />;
  }
  return { Part, begin };
}

/**
 * A part of the page in a chunk of its own, loaded when it is first drawn. Draws `Awaited` until then; throws 'Loading
 * chunk failed' if it cannot be loaded. Drawn as soon as it is there: React shows a placeholder of `Suspense` for 300 ms
 * at least, and all that is retried meanwhile waits as well.
 */
export const part = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Awaited: ComponentType = () => null,
): ComponentType<Props> => loaded(load, Awaited).Part;

/** The same, loaded beside the screen on which it is drawn later. */
export function ahead<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Awaited?: ComponentType,
): ComponentType<Props> {
  const { Part, begin } = loaded(load, Awaited ?? (() => null));
  begin().catch(() => undefined); // thrown where the part is drawn
  return Part;
}
