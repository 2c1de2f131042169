import { Box, chakra, Flex } from '@chakra-ui/react';
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

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
}) {
  const { label, tabs, open, onOpen, end, under } = props;
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
      <Flex borderBottomWidth="1px" ps="5" pe={end ? '2' : '5'} pt="3" gap="1" justify="space-between">
        <Box
          ref={list}
          role="tablist"
          aria-label={label}
          display="flex"
          gap={tabs.length > 5 ? '0' : '1'}
          mb="-1px"
          minWidth="0"
          overflowX="auto"
          onKeyDown={onKeyDown}
        >
          {tabs.map((tab) => {
            const selected = tab.id === open;
            return (
              <chakra.button
                key={tab.id}
                type="button"
                role="tab"
                id={`${id}tab-${tab.id}`}
                data-tab={tab.id}
                aria-selected={selected}
                aria-controls={`${id}panel`}
                tabIndex={selected ? 0 : -1}
                onClick={() => onOpen(tab.id)}
                flexShrink="0"
                px="2"
                py="2"
                cursor="pointer"
                fontSize="sm"
                lineHeight="1.25rem"
                borderBottomWidth="2px"
                borderColor={selected ? 'accent' : 'transparent'}
                fontWeight={selected ? 'medium' : 'normal'}
                color={selected ? 'fg' : 'fg.muted'}
                _hover={{ color: 'fg' }}
                _focusVisible={{ outlineOffset: '-2px' }}
              >
                {tab.label}
              </chakra.button>
            );
          })}
        </Box>
        {end}
      </Flex>
      {under}
      <Box role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}tab-${open}`} minWidth="0" minHeight="0">
        {tabs[at]?.content}
      </Box>
    </>
  );
}
