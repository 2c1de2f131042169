import { Box } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import { Inspector } from '../inspector/Inspector.tsx';
import { ResizeHandle } from './ResizeHandle.tsx';
import { sidebar } from '../theme/tokens.ts';
import { localStore } from '../api/storage.ts';

const slot = 'sidebar.width';

const within = (width: number): number => Math.round(Math.min(Math.max(width, sidebar.least), sidebar.most));

/** The stored width (px) of the column beside the step; null until the user has resized it. */
function storedWidth(): number | null {
  const width = Number(localStore().getItem(slot));
  return width > 0 ? within(width) : null;
}

/** The width (px) of the column beside the step that the user has chosen in this browser, if any, and how to change it. */
export function useSidebarWidth(): [number | null, (width: number) => void] {
  const [width, setWidth] = useState(storedWidth);
  const resize = (to: number) => {
    setWidth(within(to));
    localStore().setItem(slot, String(within(to)));
  };
  return [width, resize];
}

/** From this width, the inspector is beside the step; the theme's breakpoint `md`. */
const beside = '(min-width: 50rem)';

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

/** The inspector in its place: beside the step, or below it on a narrow page. */
export function InspectorRegion(props: {
  id: JourneyId;
  snapshot: AnyMachineSnapshot;
  record: string;
  /** The id of the step's earlier result, if it is shown instead of the step. */
  made: string | undefined;
  /** Whether the user wants to read the record: if the inspector is below the list, the focus moves there. */
  moved: boolean;
  /** Whether it is open beside the step on a wide page; on a narrow page it always follows below. */
  open: boolean;
  onClose: (() => void) | undefined;
  /** Resizes the column, to a width in px. */
  onResize: (width: number) => void;
}) {
  const { id, snapshot, record, made, moved, open, onClose, onResize } = props;
  const [column, setColumn] = useState<HTMLElement | null>(null);
  const width = useWidth(column);
  useEffect(() => {
    if (record === '' || !moved || matchMedia(beside).matches) return;
    column?.focus({ preventScroll: true });
    column?.scrollIntoView({ block: 'start' });
  }, [record, moved, column]);
  return (
    <Box
      ref={setColumn}
      position="relative"
      tabIndex={-1}
      outline="none"
      display={{ md: open ? 'block' : 'none' }}
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
        onResize={onResize}
      />
      <Box
        position={{ md: 'sticky' }}
        top={{ base: '0', lg: '{sizes.top}' }}
        maxHeight={{
          md: 'calc(100dvh - var(--below, 5rem))',
          lg: 'calc(100dvh - {sizes.top} - var(--below, 5rem))',
        }}
        overflow={{ md: 'auto' }}
      >
        <Inspector id={id} snapshot={snapshot} record={record} made={made} onClose={onClose} />
      </Box>
    </Box>
  );
}
