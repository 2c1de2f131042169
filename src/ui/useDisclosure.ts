import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';

/** A button that discloses a panel beside it; Escape, or focus or a click outside, closes it. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && around.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open]);
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
