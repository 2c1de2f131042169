import { Box, Button, chakra } from '@chakra-ui/react';
import { useCallback, useRef, useState } from 'react';
import { menuGroups, type MenuGroup as GroupName } from '#machines/journey.ts';
import { useLeave } from '#ui/useDisclosure.ts';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { MenuGroup, menuFits } from './MenuGroup.tsx';

/** The menu: groups side by side on a wide page, behind one button on a narrow one. At most one group is open. */
export function Menu() {
  const facts = useFacts();
  const [openGroup, setOpenGroup] = useState<GroupName>();
  const [unfolded, setUnfolded] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const close = useCallback(() => {
    setOpenGroup(undefined);
    setUnfolded(false);
  }, []);
  useLeave(nav, unfolded || openGroup !== undefined, close);
  const onEscape = () => {
    // Returns the focus to the button that opened the group or menu being closed.
    const opened = nav.current?.querySelectorAll<HTMLElement>('[aria-expanded=true]');
    opened?.item(opened.length - 1).focus();
    if (openGroup) setOpenGroup(undefined);
    else setUnfolded(false);
  };
  // Keeps the focus on a visible element until the chosen page takes it.
  const onChoose = () => {
    nav.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus();
    close();
  };
  return (
    <chakra.nav
      ref={nav}
      aria-label="Journeys"
      ms={{ base: '0', sm: '2' }}
      css={{ [menuFits]: { marginInlineStart: '0' } }}
      onKeyDown={({ key: pressed }) => pressed === 'Escape' && onEscape()}
    >
      <Button
        size="sm"
        css={{ [menuFits]: { display: 'none' } }}
        aria-expanded={unfolded}
        aria-controls="menu-groups"
        onClick={() => setUnfolded(!unfolded)}
      >
        Menu
      </Button>
      <Box
        as="ul"
        id="menu-groups"
        listStyleType="none"
        display={unfolded ? 'block' : 'none'}
        position="absolute"
        top="full"
        insetInline="0"
        maxHeight="70dvh"
        overflow="auto"
        p="2"
        bg="bg"
        borderBottomWidth="1px"
        css={{
          [menuFits]: {
            display: 'flex',
            position: 'static',
            maxHeight: 'none',
            overflow: 'visible',
            padding: '0',
            borderBottomWidth: '0',
          },
        }}
      >
        {menuGroups.map((group) => (
          <MenuGroup
            key={group}
            group={group}
            facts={facts}
            open={openGroup === group}
            onOpen={(open) => setOpenGroup(open ? group : undefined)}
            onChoose={onChoose}
          />
        ))}
      </Box>
    </chakra.nav>
  );
}
