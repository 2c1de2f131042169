import { Button } from '@chakra-ui/react';
import { type KeyboardEvent, type MouseEvent, createContext } from 'react';

/** The row of a list whose record the inspector shows. */
export interface ChosenRecord {
  /** The row's key; '' if none is chosen. */
  id: string;
  /** Chooses a row, '' for none. `stay`: keeps the focus in the list even where the inspector is below it. */
  choose: (id: string, stay?: boolean) => void;
}

/** Null on a page without an inspector, where rows cannot be chosen. */
export const RecordContext = createContext<ChosenRecord | null>(null);

/** Elements of a row that handle clicks themselves. */
const controls = 'a, button, input, select, textarea, summary, label, [popover]';

/** Opens and closes a row's record in the inspector. `name` names the row, for example "batch 1a2b". */
export function RowChooser({ id, name, record }: { id: string; name: string; record: ChosenRecord }) {
  const chosen = record.id === id;
  return (
    <Button
      size="sm"
      variant="ghost"
      color={chosen ? 'accent' : 'fg.muted'}
      minWidth="6"
      px="0"
      data-chooses={id}
      aria-label={`Inspect ${name}`}
      aria-expanded={chosen}
      onClick={() => record.choose(chosen ? '' : id)}
    >
      <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden>
        <path d="M4 2l4 4-4 4" />
      </svg>
    </Button>
  );
}

/** The row to which a key moves the focus; undefined if there is none. */
function neighbour(rows: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = rows.indexOf(document.activeElement as HTMLElement); // -1 for any other element
  if (at < 0) return undefined;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
  };
  return rows[targets[key] ?? -1];
}

/** Props of a table's body: the arrow keys, j and k, Home and End move between the rows; an open record follows the focus. */
export const chooserKeys = (record: ChosenRecord) => ({
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour([...event.currentTarget.querySelectorAll<HTMLElement>('[data-chooses]')], event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (record.id !== '') record.choose(next.dataset.chooses ?? '', true);
  },
});

/** Props of a row that a click chooses, except on its controls and when selecting text. */
export const chosenRow = (id: string, record: ChosenRecord) => ({
  cursor: 'pointer',
  ...(record.id === id
    ? { bg: 'accent.subtle', boxShadow: 'inset 2px 0 {colors.accent}' }
    : { _hover: { bg: 'bg.subtle' } }),
  onClick: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    if ((target as Element).closest(controls) || getSelection()?.type === 'Range') return; // a click's target is an element
    currentTarget.querySelector<HTMLElement>('[data-chooses]')?.focus();
    record.choose(id);
  },
});
