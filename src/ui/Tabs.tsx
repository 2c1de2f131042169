import { Box, createSlotRecipeContext } from '@chakra-ui/react';
import type { HTMLChakraProps } from '@chakra-ui/react';
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

const { withProvider, withContext } = createSlotRecipeContext({ key: 'tabs' });
const Root = withProvider<HTMLDivElement, HTMLChakraProps<'div'>>('div', 'root');
const List = withContext<HTMLDivElement, HTMLChakraProps<'div'>>('div', 'list');
const Trigger = withContext<HTMLButtonElement, HTMLChakraProps<'button'>>('button', 'trigger');

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  content: ReactNode;
}

/** Tabs with one open panel; the arrow keys, Home and End move between them. */
export function Tabs<Id extends string>(props: {
  label: string;
  tabs: readonly Tab<Id>[];
  open: Id;
  onOpen: (id: Id) => void;
  /** Rendered at the end of the line of tabs. */
  end?: ReactNode;
  /** Rendered between the tabs and the open panel. */
  under?: ReactNode;
  /** The first tab begins at the edge of the page's content, as its title does. */
  flush?: boolean;
}) {
  const { label, tabs, open, onOpen, end, under, flush = false } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex((tab) => tab.id === open);
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[steps[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    onOpen(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <Root pe={end ? '2' : '5'} {...(flush && { ps: '0', pt: '0' })}>
        <List
          ref={list}
          role="tablist"
          aria-label={label}
          gap={tabs.length > 5 ? '0' : undefined}
          ms={flush ? '-2' : undefined}
          onKeyDown={onKeyDown}
        >
          {tabs.map((tab) => (
            <Trigger
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}tab-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === open}
              aria-controls={`${id}panel`}
              tabIndex={tab.id === open ? 0 : -1}
              onClick={() => onOpen(tab.id)}
            >
              {tab.label}
            </Trigger>
          ))}
        </List>
        {end}
      </Root>
      {under}
      <Box key={open} role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab-${open}`} minWidth="0" minHeight="0">
        {tabs[at]?.content}
      </Box>
    </>
  );
}
