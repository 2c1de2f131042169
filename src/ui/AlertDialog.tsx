import { Button, chakra, Flex, Heading } from '@chakra-ui/react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useFocusReturn } from './useFocusReturn.ts';

const Dialog = chakra('dialog', {
  base: {
    margin: 'auto',
    width: 'calc(100% - 2rem)',
    maxWidth: 'form',
    p: '5',
    bg: 'bg',
    color: 'fg',
    borderWidth: '1px',
    borderRadius: 'md',
  },
});

/**
 * A modal alert dialog, labelled by `title` and described by `children`. The first button and Escape call `onClose`;
 * `actions` are further buttons or links.
 */
export function AlertDialog(props: {
  title: string;
  children: ReactNode;
  onClose: () => void;
  closeLabel?: string;
  actions?: ReactNode;
}) {
  const { title, children, onClose, closeLabel = 'Close', actions } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useFocusReturn();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <Dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Heading as="h2" id={`${id}-title`} mb="2">
        {title}
      </Heading>
      <div id={`${id}-text`}>{children}</div>
      <Flex gap="2" wrap="wrap" mt="5">
        <Button onClick={onClose}>{closeLabel}</Button>
        {actions}
      </Flex>
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
  const { title, children, confirmLabel, onConfirm, onClose } = props;
  return (
    <AlertDialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      actions={
        <Button variant="plain" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      }
    >
      {children}
    </AlertDialog>
  );
}
