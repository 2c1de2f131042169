import { useEffect, useState, type ComponentType } from 'react';
import { chunk } from './chunk.ts';

/**
 * A part of a screen that is drawn only later, in a chunk of its own: loaded beside the screen, and drawn at once, without
 * the pause that React makes before it replaces a placeholder. Draws `Awaited` until it is loaded; throws if it cannot be.
 */
export function ahead<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Awaited: ComponentType = () => null,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  const loading = chunk(load).then((loaded) => void (Part = loaded));
  loading.catch(() => undefined); // thrown where the part is drawn
  return function Ahead(props: Props) {
    const [, redraw] = useState<object>();
    useEffect(() => {
      if (Part) return;
      const fail = (error: unknown) => {
        throw error;
      };
      loading.then(
        () => redraw({}),
        (error: unknown) => redraw(() => fail(error)),
      );
    }, []);
    return Part ? <Part {...props} /> : <Awaited />;
  };
}
