/** The router's state of a page that was opened to make another record. */
export interface Opened {
  another?: true;
}

/** Props of a link to such a page. */
export const another: { state: Opened } = { state: { another: true } };
