import { Box, Button, chakra, Text } from '@chakra-ui/react';
import {
  createContext,
  use,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useDisclosure } from './useDisclosure.ts';

/** Closes the menu around an item and returns the focus to its button. */
const CloseContext = createContext<() => void>(() => undefined);

// Above everything else on the page, so that the scrolling region around a table does not cut it off.
const Panel = chakra('div', {
  base: {
    position: 'fixed',
    inset: 'auto',
    m: '0',
    p: '1',
    width: 'max-content',
    minWidth: '10rem',
    maxWidth: 'min(20rem, calc(100vw - 1rem))',
    bg: 'bg',
    color: 'fg',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'md',
    boxShadow: '0 8px 24px rgb(0 0 0 / 0.12)',
    fontSize: 'md',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    textAlign: 'start',
    cursor: 'default',
  },
});

const Item = chakra('button', {
  base: {
    display: 'block',
    width: 'full',
    minHeight: '8',
    px: '3',
    py: '1.5',
    color: 'fg',
    textAlign: 'start',
    textDecoration: 'none',
    borderRadius: 'sm',
    cursor: 'pointer',
    _hover: { bg: 'bg.muted' },
    '&[aria-disabled=true]': { color: 'fg.muted', cursor: 'default' },
  },
});

/** Places the panel below its button, or above it where there is more room. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = bottom + height > clientHeight && top > clientHeight - bottom;
  panel.style.top = `${Math.max(isAbove ? top - height : bottom, 0)}px`;
  panel.style.left = `${Math.min(Math.max(right - width, 8), Math.max(clientWidth - width - 8, 0))}px`;
}

const itemsOf = (panel: HTMLElement | null): HTMLElement[] => [
  ...(panel?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** The index of the item to which a key moves the focus; undefined if the key moves nothing. */
function targetOf(key: string, at: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return targets[key];
}

/** The open menu: takes the focus, and stays beside its button when the page scrolls. */
function OpenMenu(props: {
  id: string;
  label: string;
  note: ReactNode;
  button: RefObject<HTMLElement | null>;
  close: () => void;
  children: ReactNode;
}) {
  const { id, label, note, button, close, children } = props;
  const panel = useRef<HTMLDivElement>(null);
  const noteId = useId();
  useLayoutEffect(() => {
    const [element, opener] = [panel.current, button.current];
    if (!element || !opener) return undefined;
    // Missing in old browsers, where the panel is a fixed element.
    (element as { showPopover?: () => void }).showPopover?.();
    const follow = () => place(element, opener);
    follow();
    itemsOf(element)[0]?.focus({ preventScroll: true });
    addEventListener('scroll', follow, { capture: true, passive: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, [button]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') close();
    const items = itemsOf(panel.current);
    const target = targetOf(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (target === undefined) return;
    event.preventDefault();
    items[target]?.focus();
  };
  return (
    <Panel ref={panel} popover="manual" onKeyDown={onKeyDown}>
      {note && (
        <Text id={noteId} px="3" py="1.5" fontSize="sm" color="fg.muted">
          {note}
        </Text>
      )}
      <div id={id} role="menu" aria-label={label} aria-describedby={note ? noteId : undefined}>
        {children}
      </div>
    </Panel>
  );
}

/**
 * The actions of a row behind one button. `name` names the row, for example "subscription 1a2b"; the children are
 * RowMenuItems; `note` is why an action is missing. Arrow keys move through the items, Escape closes the menu.
 */
export function RowMenu({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  const { open, back, box, button, panel } = useDisclosure();
  const label = `Actions of ${name}`;
  return (
    <Box display="inline-block" {...box}>
      <Button size="sm" variant="ghost" px="0" aria-label={label} aria-haspopup="menu" {...button}>
        <span aria-hidden="true">⋯</span>
      </Button>
      {open && (
        <CloseContext value={back}>
          <OpenMenu id={panel.id} label={label} note={note} button={button.ref} close={back}>
            {children}
          </OpenMenu>
        </CloseContext>
      )}
    </Box>
  );
}

/**
 * One action of a row. `rests` says that it cannot run now; `reason` is why, or `describedBy` the DOM id of the text that
 * says why. With `href`, the item also opens that page in another tab.
 */
export function RowMenuItem(props: {
  label: string;
  onPress: () => void;
  rests?: boolean;
  reason?: string;
  describedBy?: string;
  href?: string;
}) {
  const { label, onPress, rests = false, reason = '', describedBy, href } = props;
  const close = use(CloseContext);
  const reasonId = useId();
  const press = () => {
    if (rests) return;
    close();
    onPress();
  };
  const shared = { role: 'menuitem', tabIndex: -1, onClick: press } as const;
  if (href !== undefined && !rests)
    return (
      <Item asChild {...shared}>
        <a href={href} target="_blank" rel="noopener">
          {label} <span aria-hidden="true">↗</span>
        </a>
      </Item>
    );
  return (
    <Item
      type="button"
      {...shared}
      aria-disabled={rests || undefined}
      aria-describedby={rests ? (reason ? reasonId : describedBy) : undefined}
    >
      {label}
      {rests && reason && (
        // The description, not a part of the name.
        <Text as="span" id={reasonId} aria-hidden="true" display="block" fontSize="sm">
          {reason}
        </Text>
      )}
    </Item>
  );
}
