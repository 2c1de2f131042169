import { createContext } from 'react';

/** The row of a list whose record the inspector shows. */
export interface ChosenRecord {
  /** The row's key; '' if none is chosen. */
  id: string;
  /** Chooses a row, '' for none. `stay`: the focus remains in the list where the inspector follows below it. */
  choose: (id: string, stay?: boolean) => void;
}

/** Null on a page without an inspector; its rows cannot be chosen then. */
export const RecordContext = createContext<ChosenRecord | null>(null);
