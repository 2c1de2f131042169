import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { Fragment, useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { isAuthorised } from '#contract/status.ts';
import { addressOf } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import { stateOf } from '#machines/lib/state.ts';
import { removable, type Kept } from '#machines/onboarding/workspace.machine.ts';
import { countedFact } from '#rules/counted.ts';
import { Code } from '#ui/Code.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { companyOf } from '#machines/names.ts';
import { shortId } from '#rules/shortId.ts';
import { Badge, toneOf } from '#ui/Badge.tsx';
import { Callout, Card } from '#ui/surfaces.tsx';
import { useFacts } from '../console/ConsoleProvider.tsx';
import { useRunning } from '../console/useResource.ts';
import { machine } from '../effects/company.ts';
import { lazyRoute } from '../frame/lazyRoute.tsx';
import { RestoreKey, type WorkspaceActor } from './RestoreKey.tsx';

/** The list of companies, which only some users open. */
const Companies = lazyRoute(async () => (await import('./Companies.tsx')).Companies);

/** What else is removed with each kind of record, for the confirmation dialog. */
const removed: Record<Kept['kind'], string> = {
  subscription: 'Removes its record, debtors and creditors from this console.',
  batch: 'Removes its record from this console.',
  company: 'Removes everything stored for the company from this console.',
  organisation: 'Removes its signing key and everything stored for its companies from this console.',
};

/** A record's name: a company's own, otherwise the id. */
const nameIn = ({ companies }: Facts, { id }: Kept): string =>
  companies.find(({ companyId }) => companyId === id)?.companyName || id;

/** Removes the record that the service no longer accepts, where that is possible. */
function RemoveLost({ facts, actor }: { facts: Facts; actor: WorkspaceActor }) {
  const record = removable(facts);
  if (!record) return null;
  return <Button onClick={() => actor.send({ type: 'record.remove', record })}>Remove this {record.kind} here</Button>;
}

/** Reports that the service does not accept the organisation's signing key, and what the user can do. */
function WrongKey({ facts, actor, onEnter }: { facts: Facts; actor: WorkspaceActor; onEnter: () => void }) {
  const { companies, companyKey, settings } = facts;
  const { organisationId } = settings;
  const current = companies.find((each) => each.companyKey === companyKey);
  return (
    <Callout role="status" tone="failed">
      <Text overflowWrap="anywhere">{requirement('organisation').statusText(facts)}.</Text>
      <Text>{removable(facts) && 'The sandbox may have been replaced since. '}Its records stay.</Text>
      <Flex gap="2" wrap="wrap">
        <Button onClick={onEnter}>Enter signing key</Button>
        {current?.hasPreviousKey && (
          <RestoreKey organisationId={organisationId} name="the organisation" actor={actor} />
        )}
        <RemoveLost facts={facts} actor={actor} />
      </Flex>
    </Callout>
  );
}

/** Reports the current record that the service no longer knows, and what the user can do. */
function Lost({ facts, actor }: { facts: Facts; actor: WorkspaceActor }) {
  const { lost } = facts;
  if (lost === '' || lost === 'signingKey') return null;
  return (
    <Callout role="status" tone="failed">
      <Text overflowWrap="anywhere">{requirement(lost).statusText(facts)}.</Text>
      <Text>Its records can no longer be used.</Text>
      <Flex gap="2" wrap="wrap">
        <Button asChild>
          <RouterLink to={addressOf(lost, { guided: true })}>Start over</RouterLink>
        </Button>
        <RemoveLost facts={facts} actor={actor} />
      </Flex>
    </Callout>
  );
}

/** A shortened id; the full one is in the tooltip. */
const Short = ({ id }: { id: string }) => <Code title={id}>{shortId(id)}</Code>;

/** The current company's records, by label. */
function standing(facts: Facts): Record<string, ReactNode> {
  const { settings, subscription, provider, debtors } = facts;
  const last = (JSON.parse(settings.postedBatches) as BatchRecord[]).at(-1); // the server assembles it by this shape
  return {
    Company: settings.companyId && companyOf(facts),
    ...(facts.user && { 'Signed in as': facts.user }),
    Subscription: subscription && (
      <>
        {provider?.name ?? <Short id={subscription.subscriptionId} />}{' '}
        {!isAuthorised(subscription.status) && <Badge tone={toneOf(subscription.status)}>{subscription.status}</Badge>}
      </>
    ),
    Account: settings.accountId && <Short id={settings.accountId} />,
    'Bank accounts': debtors > 0 && countedFact(debtors, 'debtor'),
    'Last batch': last && <Short id={last.batchId} />,
  };
}

/** The label of the button that opens the list of `companies`. */
const opening = (companies: number): string =>
  companies === 0 ? 'Enter existing company' : companies === 1 ? 'Manage' : 'Switch company';

/** The workspace: the current company, its records, and a way to switch to another company. */
export function Workspace() {
  const facts = useFacts();
  const actor = useRunning(machine);
  const state = useSelector(actor, stateOf);
  const { record, organisationId, failure } = useContextValues(actor, 'record', 'organisationId', 'failure');
  const [open, setOpen] = useState(false);
  if (!facts) return null;
  const toggle = () => {
    actor.send(open ? { type: 'list.close' } : { type: 'list.open', companies: facts.companies.length });
    setOpen(!open);
  };

  return (
    <Card as="section" aria-labelledby="workspace" size="md" gap="3">
      <Flex align="center" justify="space-between" gap="2" wrap="wrap">
        <Heading as="h2" id="workspace">
          Workspace
        </Heading>
        <Button size="sm" aria-expanded={open} onClick={toggle}>
          {opening(facts.companies.length)}
        </Button>
      </Flex>
      {facts.lost === 'signingKey' && (
        <WrongKey
          facts={facts}
          actor={actor}
          onEnter={() => {
            actor.send({ type: 'existing.open' });
            setOpen(true);
          }}
        />
      )}
      <Lost facts={facts} actor={actor} />
      {failure && !open && state === 'resting' && <FailurePanel problem={failure} />}
      <Box as="dl" display="grid" gridTemplateColumns="6.5rem minmax(0, 1fr)" columnGap="3" rowGap="2" fontSize="sm">
        {Object.entries(standing(facts)).map(([name, value]) => (
          <Fragment key={name}>
            <Box as="dt" color="fg.muted">
              {name}
            </Box>
            <Box as="dd" overflowWrap="anywhere" {...(!value && { color: 'fg.muted' })}>
              {value || 'none'}
            </Box>
          </Fragment>
        ))}
      </Box>
      {open && <Companies facts={facts} actor={actor} />}
      {state === 'askingRemoval' && record && (
        <ConfirmDialog
          title={`Remove the ${record.kind} ${nameIn(facts, record)}?`}
          confirmLabel="Remove"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text>
            {removed[record.kind]} This cannot be undone. It is removed only if the service no longer knows it, or is a
            sandbox that refuses its signing key.
          </Text>
        </ConfirmDialog>
      )}
      {state === 'askingKey' && (
        <ConfirmDialog
          title="Reveal the signing key?"
          confirmLabel="Reveal once"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text overflowWrap="anywhere">
            The signing key of organisation {organisationId} is shown once, for a minute. Whoever has it can act for the
            organisation.
          </Text>
        </ConfirmDialog>
      )}
    </Card>
  );
}
