/** What is so while a page is explored, as far as the properties speak of it. */
export interface Truth {
  /** What `GET /api/facts` says of the company that the page shows. */
  facts: {
    /** As the status bar labels them; '' where there is none. */
    bar: Readonly<Record<string, string>>;
    organisationId: string;
    debtors: number;
    subscriptionStatus: string;
  };
  /** The titles of the gates whose requirement is met, so that no page may show them. */
  met: readonly string[];
  /** The paths of the journeys that can be started. */
  open: readonly string[];
  /** The statuses of the batches that the sandbox has, by id. */
  batches: Readonly<Record<string, string>>;
  /** The invoices that the sandbox has been told to pay in several batches, though nobody asked for that. */
  twice: readonly string[];
}

/** The same was so whenever it was asked for between two times, in ms since 1970. */
export interface Held {
  from: number;
  to: number;
  truth: Truth;
}
