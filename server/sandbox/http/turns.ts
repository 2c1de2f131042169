import type { Context } from 'koa';
import type { Clock } from '#server/clock.ts';

/** Time (ms) for which later calls wait for one whose body has not arrived; then it loses its place. */
const longestArrival = 1000;

/** The turn of a call. */
export interface Turn {
  /** Resolves when all calls before it have ended or wait. */
  begin: () => Promise<void>;
  /** Lets later calls act until the next `begin`, which takes a place behind them. */
  wait: () => void;
  end: () => void;
}

/**
 * Lets calls act one at a time, in the order in which they arrived: then ids, records and what follows from them do not
 * depend on how long each takes to be read and verified.
 */
export function createTurns(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>) {
  interface Place {
    isFirst: Promise<void>;
    becomeFirst: () => void;
  }
  /** The first one acts, the others wait. */
  const places: Place[] = [];

  function enter(): Place {
    let becomeFirst = () => {};
    const isFirst = new Promise<void>((resolve) => (becomeFirst = resolve));
    const place = { isFirst, becomeFirst };
    places.push(place);
    places[0]?.becomeFirst();
    return place;
  }
  function leave(place: Place): void {
    const index = places.indexOf(place);
    if (index !== -1) places.splice(index, 1);
    places[0]?.becomeFirst();
  }

  return {
    /** Takes the next place. */
    arrive(): Turn {
      let place = enter();
      let isOver = false;
      const timer = clock.setTimeout(() => leave(place), longestArrival);
      return {
        async begin() {
          clock.clearTimeout(timer);
          if (isOver) return;
          if (!places.includes(place)) place = enter();
          await place.isFirst;
        },
        wait: () => leave(place),
        end() {
          isOver = true;
          clock.clearTimeout(timer);
          leave(place);
        },
      };
    },
  };
}

export function takeTurn({ state }: Context, turn: Turn): void {
  state['turn'] = turn;
}

/** Returns the turn of a call; undefined where calls act at once. */
export const turnOf = ({ state }: Context): Turn | undefined => state['turn'] as Turn | undefined; // Koa's type is any
