import { createContext } from 'react';

/** The row of a list whose record the inspector shows. */
export interface ChosenRecord {
  /** The row's key; '' if none is chosen. */
  id: string;
  /** Chooses a row, '' for none. `stay`: keeps the focus in the list even where the inspector is below it. */
  choose: (id: string, stay?: boolean) => void;
}

/** Null on a page without an inspector, where rows cannot be chosen. */
export const RecordContext = createContext<ChosenRecord | null>(null);
