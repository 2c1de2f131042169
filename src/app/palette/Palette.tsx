import { Box, chakra } from '@chakra-ui/react';
import { shallowEqual, useSelector } from '@xstate/react';
import { Command, defaultFilter } from 'cmdk';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder, reason } from '#machines/journeys.ts';
import { whyNot, type PaletteAct } from '#machines/palette.ts';
import { isRehearsal } from '#rules/rehearsal.ts';
import { shortId } from '#rules/shortId.ts';
import { initialFocus } from '#ui/Dialog.tsx';
import { outcomeText } from '#ui/outcomeWords.ts';
import { useFacts } from '../console/console.tsx';
import { useResource } from '../console/useResource.ts';
import { palette } from '../effects/palette.ts';
import { noParties, readParties, type Parties } from '../effects/parties.ts';
import { otherPages } from '../page/pages.ts';
import { useColourMode } from '../theme/colourMode.ts';
import { actionsOf, recordsOf, type Entry } from './paletteEntries.ts';
import { rankOf } from './searchRank.ts';

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

/**
 * Entries of a kind; while the user searches, without a heading among all others: cmdk orders entries by their rank only
 * within a group (its groups keep their places), and would choose the first of the first group.
 */
const Part = ({ flat, heading, children }: { flat: boolean; heading: string; children: ReactNode }) =>
  flat ? children : <Group heading={heading}>{children}</Group>;

/** An entry is named by its id; its keywords are its title, and the words that it is found by besides. */
const rank = (_: string, search: string, [title = '', words = '']: readonly string[] = []): number =>
  rankOf(title, search, defaultFilter, words);

/**
 * Stored debtors and creditors of the current subscription; empty lists if they cannot be read. They are read again with
 * the facts, and those of one company or subscription are never listed for another.
 */
function useParties(facts: Facts | null): Parties {
  const owner = facts && `${facts.companyKey} ${facts.settings.subscriptionId}`;
  const [found, setFound] = useState<{ of: string | null; parties: Parties }>({ of: null, parties: noParties });
  const hasAny = facts !== null && facts.debtors + facts.creditors > 0;
  useEffect(() => {
    if (!hasAny) return undefined;
    const reading = new AbortController();
    const { signal } = reading;
    void readParties(signal).then((parties) => !signal.aborted && setFound({ of: owner, parties }));
    return () => reading.abort();
  }, [facts, hasAny, owner]);
  return hasAny && found.of === owner ? found.parties : noParties;
}

/** `rests`: it cannot be chosen, or not now. */
function EntryItem({ entry, rests, onSelect }: { entry: Entry; rests: boolean; onSelect: () => void }) {
  const { key, title, detail, blocked = '' } = entry;
  // Sets aria-disabled directly: cmdk skips disabled items and marks all others as enabled, so the reason of a blocked
  // item would not be announced.
  const say = (item: HTMLElement | null) => item?.setAttribute('aria-disabled', String(rests));
  return (
    <Item ref={say} value={key} keywords={[title, `${key} ${detail ?? ''}`]} onSelect={onSelect}>
      {title}{' '}
      {detail && (
        <chakra.span color="fg.muted" fontSize="sm">
          {detail}
        </chakra.span>
      )}
      {blocked && (
        <chakra.span display="block" color="fg.muted" fontSize="sm">
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
  const { debtors, creditors } = useParties(facts);
  const [searching, setSearching] = useState(false);
  const [mode, toggle] = useColourMode();
  const colours = mode === 'dark' ? 'Use light colours' : 'Use dark colours';
  const list = useRef<HTMLDivElement>(null);
  const field = useFocusIfLate();
  const records = facts ? recordsOf(facts, debtors, creditors) : [];
  // Companies of rehearsals are found in the workspace; the current one is listed whatever it is.
  const companies = facts?.companies.filter((each) => each.companyKey === facts.companyKey || !isRehearsal(each)) ?? [];
  const act = ({ act: what }: Entry) => {
    if (facts && what) actor.send({ type: 'act', act: what, facts });
  };
  const go = (path: string) => {
    onClose();
    void navigate(path);
  };
  return (
    <Command label="Go to a journey" loop filter={rank}>
      <Input
        ref={field}
        {...initialFocus}
        placeholder="Journey, record or action"
        onValueChange={(text) => {
          setSearching(text.trim() !== '');
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
          <Part flat={searching} heading="Pages">
            {otherPages
              .filter(({ sandbox }) => !sandbox || facts?.environment === 'sandbox')
              .map(({ path, title, words }) => (
                <Item key={path} value={path} keywords={[title, words]} onSelect={() => go(path)}>
                  {title}
                </Item>
              ))}
          </Part>
          <Part flat={searching} heading="Steps">
            {journeyOrder.map((id) => {
              const { title, group = '', path } = journeyOf(id);
              const blocked = facts && reason(id, facts);
              return (
                <Item key={id} value={id} keywords={[title, group]} onSelect={() => go(path)}>
                  {title}{' '}
                  <chakra.span color="fg.muted" fontSize="sm">
                    {group}
                  </chakra.span>
                  {blocked && (
                    <chakra.span display="block" color="blocked" fontSize="sm">
                      {blocked}
                    </chakra.span>
                  )}
                </Item>
              );
            })}
          </Part>
          {companies.length > 0 && (
            <Part flat={searching} heading="Companies">
              {companies.map((company) => {
                const { companyKey, companyId, organisationId, companyName } = company;
                const name = companyName || shortId(companyId || organisationId);
                return (
                  <Item
                    key={companyKey}
                    value={`company ${companyKey}`}
                    keywords={[`Use company ${name}`, `${companyId} ${organisationId}`]}
                    onSelect={() =>
                      companyKey === facts?.companyKey
                        ? go('/')
                        : actor.send({ type: 'act', act: 'useCompany', owner: company })
                    }
                  >
                    Use {companyId ? 'company' : 'organisation'} {name}
                    {companyKey === facts?.companyKey && ' (current)'}
                  </Item>
                );
              })}
            </Part>
          )}
          {records.length > 0 && (
            <Part flat={searching} heading="Records">
              {records.map((entry) => (
                <EntryItem key={entry.key} entry={entry} rests={false} onSelect={() => entry.to && go(entry.to)} />
              ))}
            </Part>
          )}
          {facts && (
            <Part flat={searching} heading="Actions">
              <Item value="colours" keywords={[colours, 'theme mode dark light']} onSelect={toggle}>
                {colours}
              </Item>
              {actionsOf(facts).map((entry) => (
                <EntryItem
                  key={entry.key}
                  entry={entry}
                  rests={entry.act ? !may.includes(entry.act) : Boolean(entry.blocked)}
                  onSelect={() => (entry.to ? entry.blocked || go(entry.to) : act(entry))}
                />
              ))}
            </Part>
          )}
        </Command.List>
      </Box>
    </Command>
  );
}
