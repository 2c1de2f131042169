import { Box, chakra } from '@chakra-ui/react';
import { shallowEqual, useSelector } from '@xstate/react';
import { Command } from 'cmdk';
import { Fragment, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { whyNot, type PaletteAct } from '#machines/palette.ts';
import { initialFocus } from '#ui/Dialog.tsx';
import { outcomeText } from '#ui/outcomeWords.ts';
import { userName } from '#app/client/user.ts';
import { localStore } from '#app/client/storage.ts';
import { isListOf, isText, storedValue } from '#app/client/storedValue.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { palette, parties } from '#app/effects/palette.ts';
import { useColourMode } from '#app/theme/colourMode.ts';
import {
  actionsOf,
  calledBy,
  companiesOf,
  keys,
  pagesIn,
  recentWith,
  recordsOf,
  stepsOf,
  type Entry,
} from './paletteEntries.ts';
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

const noneRecent: readonly string[] = [];
/** The keys of the entries chosen last. */
const recents = storedValue('palette.recent', localStore, noneRecent, isListOf(isText));

/** The keys that work on every page. */
const Keys = () => (
  <Box as="dl" display="grid" gridTemplateColumns="auto 1fr" columnGap="4" rowGap="1.5" px="4" py="2">
    {keys.map(([key, does]) => (
      <Fragment key={key}>
        <chakra.dt fontWeight="medium">{key}</chakra.dt>
        <chakra.dd color="fg.muted">{does}</chakra.dd>
      </Fragment>
    ))}
  </Box>
);

/** Focuses the field if it arrives after its dialog has opened; otherwise the dialog does. */
function useFocusIfLate() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current?.closest('dialog')?.open) field.current.focus();
  }, []);
  return field;
}

/**
 * Lists every journey, record and action by name, with the reason if it is blocked, those chosen last first; `?` shows the keys.
 * Opened with Ctrl/Cmd+K (behaviour, section 10.10).
 */
export function Palette({ sought, onClose }: { sought: string; onClose: () => void }) {
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
  const [text, setText] = useState(sought);
  const search = text.trim();
  const showsKeys = search === '?';
  const recent = recents.use();
  const [mode, toggle] = useColourMode();
  const list = useRef<HTMLDivElement>(null);
  const field = useFocusIfLate();
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  const choose = ({ key, to, act, owner }: Entry) => {
    recents.keep(recentWith(key, recent));
    if (to) return go(to);
    if (owner) return actor.send({ type: 'act', act: 'useCompany', owner });
    if (act === 'colours') return toggle();
    if (act === 'keys') return setText('?');
    if (facts && act) actor.send({ type: 'act', act, facts });
  };
  const rests = ({ to, act, blocked = '' }: Entry) =>
    !to && (act && act !== 'colours' && act !== 'keys' ? !may.includes(act) : blocked !== '');
  const parts: Readonly<Record<string, Entry[]>> = {
    Pages: pagesIn(facts?.environment),
    Steps: stepsOf(facts),
    Companies: facts ? companiesOf(facts) : [],
    Records: facts ? recordsOf(facts, known?.debtors ?? [], known?.creditors ?? []) : [],
    Actions: facts ? actionsOf(facts, mode, userName()) : [],
  };
  const all = Object.values(parts).flat();
  const latest = recent.flatMap((key) => all.find((entry) => entry.key === key) ?? []);
  const groups = Object.entries(parts).map(([heading, entries]): [string, Entry[]] => [
    heading,
    entries.filter((entry) => !latest.includes(entry)),
  ]);
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
        value={text}
        onValueChange={(typed) => {
          setText(typed);
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
      {showsKeys && <Keys />}
      {/* In a low window the list scrolls; the field stays where it is. */}
      <Box asChild maxHeight="min(24rem, calc(100dvh - 9rem))" overflow="auto" py="1">
        <Command.List ref={list} label="Journeys">
          {!showsKeys && (
            <Command.Empty>
              <Box px="4" py="2">
                No results
              </Box>
            </Command.Empty>
          )}
          {search
            ? (showsKeys ? [] : [...foundIn(all, search), ...calledBy(search)]).map(item)
            : [['Recent', latest] as const, ...groups].map(
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
