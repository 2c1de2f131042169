/** What the page keeps in its browser. */
type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface Places {
  /** What all tabs share, and a reload finds again. */
  shared: Kept;
  /** What belongs to this tab. */
  tab: Kept;
}

let given: Places | null = null;

/** Keeps things elsewhere than in a browser, for code that runs without one; null for the browser's own storage. */
export const keepIn = (places: Places | null): void => {
  given = places;
};

export const shared = (): Kept => given?.shared ?? localStorage;
export const ofTab = (): Kept => given?.tab ?? sessionStorage;
