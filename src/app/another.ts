/** The router's state of a page that was opened to make another one. */
export interface Opened {
  another?: true;
}

/** For a link to such a page. */
export const another: { state: Opened } = { state: { another: true } };
