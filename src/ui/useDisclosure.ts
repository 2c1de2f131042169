import { useCallback, useId, useRef, useState, type KeyboardEvent, useEffect, type RefObject } from 'react';

/** While `open`, calls `onLeave` when the user presses or focuses something outside the element. */
export function useLeave(around: RefObject<HTMLElement | null>, open: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && around.current?.contains(target))) onLeave();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [around, open, onLeave]);
}

/** A button that discloses a panel beside it; Escape, or focus or a click outside, closes it. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLeave(
    around,
    open,
    useCallback(() => setOpen(false), []),
  );
  const back = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    back();
  };
  return {
    open,
    close: () => setOpen(false),
    /** Closes it and returns the focus to the button. */
    back,
    /** Props of the element around button and panel. */
    box: { ref: around, onKeyDown },
    button: { ref: button, 'aria-expanded': open, 'aria-controls': id, onClick: () => setOpen(!open) },
    panel: { id, hidden: !open },
  };
}
