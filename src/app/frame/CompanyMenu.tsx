import { Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Link as RouterLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import { companyOf } from '#machines/names.ts';
import { isRehearsal } from '#rules/rehearsal.ts';
import { shortId } from '#rules/shortId.ts';
import { useRests } from '#steps/kit/ActButton.tsx';
import { Menu, MenuHint, MenuItem } from '#ui/Menu.tsx';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { useRunning } from '../console/useResource.ts';
import { machine } from '../effects/company.ts';

type Company = Facts['companies'][number];

const nameOf = ({ companyName, companyId }: Company): string =>
  companyName || (companyId ? `Company ${shortId(companyId)}` : 'No company yet');

/** How many companies the menu lists; Home lists all. */
const most = 8;

/** The companies to switch to. The menu closes when the switch is made; why it failed stands in it. */
function Companies({ facts, back }: { facts: Facts; back: () => void }) {
  const actor = useRunning(machine);
  const failure = useSelector(actor, ({ context }) => context.failure);
  const { companies, companyKey } = facts;
  const others = companies.filter((each) => each.companyKey !== companyKey && !isRehearsal(each));
  const [first] = companies;
  const rests = useRests(actor, { type: 'company.use', owner: first ?? { organisationId: '', companyId: '' } });
  return (
    <>
      {others.slice(0, most).map((each) => (
        <MenuItem
          key={each.companyKey}
          type="button"
          aria-disabled={rests !== ''}
          title={rests || undefined}
          onClick={() => actor.send({ type: 'company.use', owner: each })}
        >
          {nameOf(each)}
          <MenuHint>Organisation {shortId(each.organisationId)}</MenuHint>
        </MenuItem>
      ))}
      {failure && (
        <Text role="alert" color="failed" px="3" py="1.5" overflowWrap="anywhere">
          {failure.title}
        </Text>
      )}
      <MenuItem asChild>
        <RouterLink to="/" onClick={back}>
          Enter or manage companies on Home
        </RouterLink>
      </MenuItem>
    </>
  );
}

/** The current company by its name in the bar of every page, and those to switch to; nothing before there is one. */
export function CompanyMenu() {
  const facts = useFacts();
  if (!facts?.settings.organisationId) return null;
  const name = companyOf(facts) || 'No company yet';
  return (
    <Menu
      key={facts.companyKey}
      label={name}
      says={`Company: ${name}`}
      {...(isRehearsal({ companyName: name }) && { tone: 'waiting' as const })}
      items={(back) => <Companies facts={facts} back={back} />}
    />
  );
}
