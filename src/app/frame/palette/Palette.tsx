import { Box, chakra } from '@chakra-ui/react';
import { shallowEqual, useSelector } from '@xstate/react';
import { Command } from 'cmdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { whyNot, type PaletteAct } from '#machines/palette.ts';
import { initialFocus } from '#ui/Dialog.tsx';
import { outcomeText } from '#ui/outcomeWords.ts';
import { userName } from '#app/client/user.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { palette, parties } from '#app/effects/palette.ts';
import { useColourMode } from '#app/theme/colourMode.ts';
import { actionsOf, companiesOf, pagesIn, recordsOf, stepsOf, type Entry } from './paletteEntries.ts';
import { foundIn } from './searchRank.ts';

const acts = Object.keys(whyNot) as (keyof typeof whyNot)[];

const Input = chakra(Command.Input, {
  base: { width: 'full', px: '4', py: '3', bg: 'bg', borderBottomWidth: '1px', outlineOffset: '-2px !important' },
});

const Item = chakra(Command.Item, {
  base: { px: '4', py: '1.5', cursor: 'pointer', '&[data-selected=true]': { bg: 'accent.subtle' } },
});

const Group = chakra(Command.Group, {
  base: {
    '& [cmdk-group-heading]': { px: '4', pt: '2.5', pb: '1', fontSize: 'xs', fontWeight: 'medium', color: 'fg.muted' },
  },
});

/** `rests`: it cannot be chosen, or not now. */
function EntryItem({ entry, rests, onSelect }: { entry: Entry; rests: boolean; onSelect: () => void }) {
  const { key, title, detail = '', blocked = '', to } = entry;
  // Sets aria-disabled directly: cmdk skips disabled items and marks all others as enabled, so the reason of a blocked
  // item would not be announced.
  const say = (item: HTMLElement | null) => item?.setAttribute('aria-disabled', String(rests));
  return (
    <Item ref={say} value={key} onSelect={onSelect}>
      {title}
      {detail && (
        <chakra.span color="fg.muted" fontSize="sm">
          {' '}
          {detail}
        </chakra.span>
      )}
      {blocked && (
        <chakra.span display="block" color={to ? 'waiting' : 'fg.muted'} fontSize="sm">
          {blocked}
        </chakra.span>
      )}
    </Item>
  );
}

/** Focuses the field if it arrives after its dialog has opened; otherwise the dialog does. */
function useFocusIfLate() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current?.closest('dialog')?.open) field.current.focus();
  }, []);
  return field;
}

/**
 * Lists every journey, record and action by name, with the reason if it is blocked; opened with Ctrl/Cmd+K (behaviour,
 * section 10.10).
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const facts = useFacts();
  const navigate = useNavigate();
  const { actor, acting, result, failure } = useResource(palette, {
    acted: useCallback(({ act }: { act: PaletteAct }) => act.act === 'useCompany' && onClose(), [onClose]),
  });
  const may = useSelector(
    actor,
    (now) => acts.filter((act) => facts && now.can({ type: 'act', act, facts })),
    shallowEqual,
  );
  const said = acting ? 'Working …' : (result ?? '');
  const { known } = useResource(parties);
  const [search, setSearch] = useState('');
  const [mode, toggle] = useColourMode();
  const list = useRef<HTMLDivElement>(null);
  const field = useFocusIfLate();
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  const choose = ({ to, act, owner }: Entry) => {
    if (to) return go(to);
    if (owner) return actor.send({ type: 'act', act: 'useCompany', owner });
    if (act === 'colours') return toggle();
    if (facts && act) actor.send({ type: 'act', act, facts });
  };
  const rests = ({ to, act, blocked = '' }: Entry) =>
    !to && (act && act !== 'colours' ? !may.includes(act) : blocked !== '');
  const parts: Readonly<Record<string, Entry[]>> = {
    Pages: pagesIn(facts?.environment),
    Steps: stepsOf(facts),
    Companies: facts ? companiesOf(facts) : [],
    Records: facts ? recordsOf(facts, known?.debtors ?? [], known?.creditors ?? []) : [],
    Actions: facts ? actionsOf(facts, mode, userName()) : [],
  };
  const item = (entry: Entry) => (
    <EntryItem key={entry.key} entry={entry} rests={rests(entry)} onSelect={() => choose(entry)} />
  );
  return (
    // Sorted here: cmdk sorts what is drawn before a search, and leaves what the search adds where it stands.
    <Command label="Go to a journey" loop shouldFilter={false}>
      <Input
        ref={field}
        {...initialFocus}
        placeholder="Journey, record or action"
        onValueChange={(text) => {
          setSearch(text.trim());
          if (list.current) list.current.scrollTop = 0;
        }}
      />
      {failure && (
        <Box role="alert" px="4" py="2" color="failed" overflowWrap="anywhere">
          {failure.title}. {outcomeText(failure)} {failure.detail}
        </Box>
      )}
      <Box role="status" px="4" py={said ? '2' : '0'} color="fg.muted">
        {said}
      </Box>
      {/* In a low window the list scrolls; the field stays where it is. */}
      <Box asChild maxHeight="min(24rem, calc(100dvh - 9rem))" overflow="auto" py="1">
        <Command.List ref={list} label="Journeys">
          <Command.Empty>
            <Box px="4" py="2">
              No results
            </Box>
          </Command.Empty>
          {search
            ? foundIn(Object.values(parts).flat(), search).map(item)
            : Object.entries(parts).map(
                ([heading, entries]) =>
                  entries.length > 0 && (
                    <Group key={heading} heading={heading}>
                      {entries.map(item)}
                    </Group>
                  ),
              )}
        </Command.List>
      </Box>
    </Command>
  );
}
