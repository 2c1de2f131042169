/** The router's state of a page opened to create another record. */
export interface Opened {
  another?: true;
}

/** Props of a link to such a page. */
export const another: { state: Opened } = { state: { another: true } };
