import { Button, createSlotRecipeContext, Heading } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useFocusReturn } from './focus.ts';

type Placement = 'centre' | 'top' | 'side';

const { withProvider, withContext } = createSlotRecipeContext({ key: 'dialog' });
const Content = withProvider<HTMLDialogElement, HTMLChakraProps<'dialog'> & { placement: Placement }>(
  'dialog',
  'content',
);
const Title = withContext<HTMLHeadingElement, HTMLChakraProps<'h2'>>(Heading, 'title');
const Footer = withContext<HTMLDivElement, HTMLChakraProps<'div'>>('div', 'footer');

/** Props of the control that has the focus when its dialog opens; without one, the first control has it. */
export const initialFocus = { 'data-initial-focus': true } as const;

interface DialogProps {
  /** The heading, which is also the dialog's accessible name. */
  title: string;
  /** Hides the heading visually, where the content says the same. */
  titleHidden?: boolean;
  placement?: Placement;
  role?: 'alertdialog';
  /** DOM id of the text that describes the dialog. */
  describedBy?: string;
  /** Called for Escape and, if `closesOutside`, for a click outside. The parent then removes the dialog. */
  onClose: () => void;
  closesOutside?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog, open while it is rendered. Afterwards the focus returns to the element that had it before. What
 * Escape does is up to the parent, because the journey may have an event of its own for it.
 */
export function Dialog(props: DialogProps) {
  const {
    title,
    titleHidden = false,
    placement = 'centre',
    role,
    describedBy,
    onClose,
    closesOutside,
    children,
  } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusReturn();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-initial-focus]')?.focus();
    return () => element?.close();
  }, []);
  return (
    <Content
      ref={dialog}
      placement={placement}
      role={role}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close a dialog without `cancel`: at a second Escape.
      onClose={() => dialog.current?.open === false && onClose()}
      // The backdrop belongs to the dialog.
      onClick={closesOutside ? ({ target }) => target === dialog.current && onClose() : undefined}
    >
      <Title as="h2" id={id} srOnly={titleHidden || undefined}>
        {title}
      </Title>
      {children}
    </Content>
  );
}

/**
 * A modal alert dialog, described by `children`. The first button and Escape call `onClose`; `actions` are further
 * buttons or links.
 */
export function AlertDialog(props: {
  title: string;
  children: ReactNode;
  onClose: () => void;
  /** The label of the first button. */
  closeLabel: string;
  actions?: ReactNode;
}) {
  const { title, children, onClose, closeLabel, actions } = props;
  const id = useId();
  return (
    <Dialog role="alertdialog" title={title} describedBy={id} onClose={onClose}>
      <div id={id}>{children}</div>
      <Footer>
        <Button onClick={onClose}>{closeLabel}</Button>
        {actions}
      </Footer>
    </Dialog>
  );
}

/** Asks for confirmation of a destructive action (behaviour, section 10.2); `confirmLabel` names that action. */
export function ConfirmDialog(props: {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { confirmLabel, onConfirm, ...dialog } = props;
  return (
    <AlertDialog
      {...dialog}
      closeLabel="Cancel"
      actions={
        <Button variant="plain" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      }
    />
  );
}
