import { useEffect, useState } from 'react';

/** The id of the focused form field (`data-field` of the element around its control); '' for none. */
export function useHighlightedField(): string {
  const [field, setField] = useState('');
  useEffect(() => {
    const look = () => setField(document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? '');
    const leave = ({ relatedTarget }: FocusEvent) => relatedTarget === null && setField('');
    look();
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', leave);
    return () => {
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', leave);
    };
  }, []);
  return field;
}
