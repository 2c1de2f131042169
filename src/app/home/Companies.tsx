import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { Facts } from '#contract/facts.ts';
import { isRehearsal } from '#rules/rehearsal.ts';
import { stateOf } from '#machines/lib/state.ts';
import type { Kept } from '#machines/onboarding/workspace.machine.ts';
import { counted } from '#rules/counted.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { Badge } from '#ui/Badge.tsx';
import { CopyButton, Id } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { Callout, Stack } from '#ui/surfaces.tsx';
import { ExistingForm } from '../journey/ExistingForm.tsx';
import { RestoreKey, type WorkspaceActor } from './RestoreKey.tsx';

type Company = Facts['companies'][number];

const nameOf = ({ companyName, companyId }: Company): string =>
  companyName || (companyId ? `Company ${companyId.slice(0, 8)}` : 'No company yet');

const recordColumns = [
  { id: 'kind', title: 'Kind', text: ({ kind }: Kept) => kind },
  { id: 'id', title: 'Id', text: ({ id }: Kept) => id },
] as const;

/** The stored companies, and the subscriptions and batches of the current one. */
const recordsIn = ({ companies, settings }: Facts): Kept[] => [
  ...companies.flatMap(({ companyId: id }) => (id ? [{ kind: 'company' as const, id }] : [])),
  ...(JSON.parse(settings.subscriptions) as SubscriptionRecord[]).map(({ subscriptionId: id }) => ({
    kind: 'subscription' as const,
    id,
  })), // prettier-ignore -- the server assembles both lists by these shapes
  ...(JSON.parse(settings.postedBatches) as BatchRecord[]).map(({ batchId: id }) => ({ kind: 'batch' as const, id })), // prettier-ignore
];

/** One company, or an organisation without a company, and its actions. */
function Item({ each, isCurrent, actor }: { each: Company; isCurrent: boolean; actor: WorkspaceActor }) {
  const { companyId, organisationId } = each;
  return (
    <Box as="li" borderTopWidth="1px" py="3" display="grid" gap="1">
      <Flex gap="2" wrap="wrap" align="center">
        <strong>{nameOf(each)}</strong>
        {isCurrent && <Badge tone="next">Current company</Badge>}
        {isRehearsal(each) && <Badge tone="idle">Rehearsal</Badge>}
      </Flex>
      <Box fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {companyId && (
          <div>
            Company <Id value={companyId} what="the company id" />
          </div>
        )}
        Organisation <Id value={organisationId} what="the organisation id" />
      </Box>
      <Flex gap="2" wrap="wrap">
        {!isCurrent && (
          <ActButton
            size="sm"
            actor={actor}
            act={{ type: 'company.use', owner: each }}
            aria-label={`Use ${nameOf(each)}`}
          >
            Use
          </ActButton>
        )}
        <ActButton
          size="sm"
          actor={actor}
          act={{ type: 'key.reveal', organisationId }}
          aria-label={`Reveal the signing key of ${nameOf(each)}`}
        >
          Reveal signing key
        </ActButton>
        {each.hasPreviousKey && <RestoreKey organisationId={organisationId} name={nameOf(each)} actor={actor} />}
        <ActButton
          size="sm"
          actor={actor}
          act={{
            type: 'record.remove',
            record: companyId ? { kind: 'company', id: companyId } : { kind: 'organisation', id: organisationId },
          }}
          aria-label={`Remove ${nameOf(each)}`}
        >
          Remove
        </ActButton>
      </Flex>
    </Box>
  );
}

/** The signing key that the user asked to see; removed when its display time ends. */
function Key({ actor }: { actor: WorkspaceActor }) {
  const signingKey = useSelector(actor, ({ context }) => context.signingKey);
  return (
    <Callout role="status" tone="next" size="sm">
      <Text>The signing key is shown only this once. Copy it now:</Text>
      <Flex gap="2" wrap="wrap" align="center">
        <Box as="code" overflowWrap="anywhere">
          {signingKey}
        </Box>
        <CopyButton text={signingKey} what="the signing key" />
        <Button size="sm" onClick={() => actor.send({ type: 'key.hide' })}>
          Hide
        </Button>
      </Flex>
    </Callout>
  );
}

/** Whether a company is listed apart: one of a rehearsal that is not the current company. */
const isAside = (company: Company, current: string): boolean => isRehearsal(company) && company.companyKey !== current;

function List(props: { companies: readonly Company[]; companyKey: string; actor: WorkspaceActor }) {
  const { companies, companyKey, actor } = props;
  return (
    <Box as="ul" listStyleType="none">
      {companies.map((each) => (
        <Item key={each.companyKey} each={each} isCurrent={each.companyKey === companyKey} actor={actor} />
      ))}
    </Box>
  );
}

/** Lists organisations and companies: marks the current one and offers to use, enter, reveal and remove each. */
export function Companies({ facts, actor }: { facts: Facts; actor: WorkspaceActor }) {
  const state = useSelector(actor, stateOf);
  const { errors, failure } = useContextValues(actor, 'errors', 'failure');
  const records = useMemo(() => recordsIn(facts), [facts]);
  const { companies, companyKey } = facts;
  const aside = companies.filter((each) => isAside(each, companyKey));
  return (
    <Stack as="section" aria-labelledby="companies" gap="3">
      <Heading as="h3" id="companies" size="md">
        Organisations and companies
      </Heading>
      {failure && state === 'resting' && <FailurePanel problem={failure} />}
      {companies.length === 0 && (
        <Text color="fg.muted">No organisations yet. Create one, or enter an existing one.</Text>
      )}
      <List companies={companies.filter((each) => !isAside(each, companyKey))} companyKey={companyKey} actor={actor} />
      {aside.length > 0 && (
        <details>
          <summary>{counted(aside.length, 'company of a rehearsal', 'companies of rehearsals')}</summary>
          <List companies={aside} companyKey={companyKey} actor={actor} />
        </details>
      )}
      {state === 'revealed' && <Key actor={actor} />}
      {state === 'entering' || state === 'submitting' ? (
        <ExistingForm
          busy={state === 'submitting'}
          errors={errors}
          failure={failure}
          onSubmit={(entered) => actor.send({ type: 'existing.submit', ...entered })}
          onCancel={() => actor.send({ type: 'dismiss' })}
        />
      ) : (
        <div>
          <ActButton actor={actor} act={{ type: 'existing.open' }}>
            Enter an existing company
          </ActButton>
        </div>
      )}
      {records.length > 0 && (
        <details>
          <summary>Remove deleted companies</summary>
          <DataTable
            caption={['record', 'records']}
            columns={recordColumns}
            rows={records}
            rowKey={({ kind, id }) => `${kind} ${id}`}
            actions={(record) => (
              <ActButton
                size="sm"
                actor={actor}
                act={{ type: 'record.remove', record }}
                aria-label={`Remove ${record.kind} ${record.id}`}
              >
                Remove
              </ActButton>
            )}
            empty={null}
          />
        </details>
      )}
    </Stack>
  );
}
