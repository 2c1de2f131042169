import { Box } from '@chakra-ui/react';
import { use, useEffect, useLayoutEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { InspectorPlace } from '../frame/inspectorPlace.ts';
import { ResizeHandle } from '../frame/ResizeHandle.tsx';
import { sidebar } from '../theme/tokens.ts';
import { localStore } from '../client/storage.ts';

const slot = 'sidebar.width';

const within = (width: number): number => Math.round(Math.min(Math.max(width, sidebar.least), sidebar.most));

/** The stored width (px) of the column beside the step; null until the user has resized it. */
function storedWidth(): number | null {
  const width = Number(localStore().getItem(slot));
  return width > 0 ? within(width) : null;
}

/** The width (px) of the column beside the step that the user has chosen in this browser, if any, and how to change it. */
function useSidebarWidth(): [number | null, (width: number) => void] {
  const [width, setWidth] = useState(storedWidth);
  const resize = (to: number) => {
    setWidth(within(to));
    localStore().setItem(slot, String(within(to)));
  };
  return [width, resize];
}

/** From this width, the inspector is beside the step; the theme's breakpoint `md`. */
const wide = '(min-width: 50rem)';

/** The current width (px) of an element, rounded; 0 before it is drawn. */
function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.round(element.getBoundingClientRect().width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** How much wider (px) a form's padding is than that of the bar, on a page that shows the whole rail. */
const formPadding = 16;

/** A size of the theme, for a style that the theme does not write. */
const size = (name: string): string => `var(--chakra-sizes-${name})`;

/** What a folded inspector leaves of a form's line to its right, in a bar with the padding of a narrow page. */
const besideForm = `max(0px, 100% - 3rem - ${size('form')})`;

/** Tells the bar how much room there is beside the step, so that its buttons stand below the step (BottomBar.tsx). */
function useBeside(column: HTMLElement | null, open: boolean, width: number, beside: keyof typeof usual): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const isForm = beside === 'form';
    style.setProperty('--beside', column && open ? `${column.offsetWidth}px` : isForm ? besideForm : '0px');
    // A folded list has the padding of a form; a folded form ends further to the left by the rail.
    const wider =
      !open && isForm ? `calc(-1 * ${size('rail')} - ${formPadding}px)` : open && !isForm ? '0px' : `${formPadding}px`;
    style.setProperty('--beside-wide', wider);
    return () => ['--beside', '--beside-wide'].forEach((name) => style.removeProperty(name));
  }, [column, open, width, beside]);
}

/**
 * The inspector's width until the user resizes it, where step and inspector share `room`: beside a form what the form
 * leaves, beside a list a third.
 */
const usual = { form: (room: string) => `${room} - {sizes.step}`, list: (room: string) => `(${room}) / 3` } as const;

/** The inspector's width beside a step in `room`; the variable is the width that the user has chosen, if any. */
function widthIn(room: string, beside: keyof typeof usual): string {
  const wanted = `var(--sidebar-width, max({sizes.inspector}, ${usual[beside](room)}))`;
  return `min(${wanted}, {sizes.sidebar.max}, ${room} - {sizes.inspector})`;
}

/** The region of the inspector: beside the step, or below it on a narrow page; after the step's bar in tab order. */
export function InspectorRegion(props: {
  /** What the inspector is beside, which decides its usual width. */
  beside: keyof typeof usual;
  /** The id of the record that it shows; '' for none. */
  record: string;
  /** Whether the user wants to read the record: if the inspector is below the list, the focus moves there. */
  moved: boolean;
  /** Whether it is open beside the step on a wide page; on a narrow page it always follows below. */
  open: boolean;
  children: ReactNode;
}) {
  const { beside, record, moved, open, children } = props;
  const place = use(InspectorPlace);
  const [chosen, resize] = useSidebarWidth();
  const [column, setColumn] = useState<HTMLElement | null>(null);
  const width = useWidth(column);
  useBeside(column, open, width, beside);
  useEffect(() => {
    if (record === '' || !moved || matchMedia(wide).matches) return;
    column?.focus({ preventScroll: true });
    column?.scrollIntoView({ block: 'start' });
  }, [record, moved, column]);
  const region = (
    <Box
      ref={setColumn}
      position="relative"
      tabIndex={-1}
      outline="none"
      display={{ md: open ? 'block' : 'none' }}
      flex="none"
      width={{ md: widthIn('100%', beside), lg: widthIn('100% - {sizes.rail}', beside) }}
      style={(chosen === null ? {} : { '--sidebar-width': `${chosen}px` }) as CSSProperties} // React's type knows no variables
      bg="bg.subtle"
      borderStartWidth={{ md: '1px' }}
      borderTopWidth={{ base: '1px', md: '0' }}
      minWidth="0"
    >
      <ResizeHandle
        edge="left"
        label="Width of the inspector"
        size={width}
        least={sidebar.least}
        most={sidebar.most}
        onResize={resize}
      />
      <Box
        position={{ md: 'sticky' }}
        top={{ base: '0', lg: '{sizes.above}' }}
        maxHeight={{
          md: 'calc(100dvh - var(--below, 5rem))',
          lg: 'calc(100dvh - {sizes.above} - var(--below, 5rem))',
        }}
        overflow={{ md: 'auto' }}
      >
        {children}
      </Box>
    </Box>
  );
  if (place === undefined) return region;
  return place && createPortal(region, place);
}
