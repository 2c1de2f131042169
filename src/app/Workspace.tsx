import { Box, Button, Flex, Heading, Text } from '@chakra-ui/react';
import { useActorRef, useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import type { Facts } from '#contract/facts.ts';
import { addressOf } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import type { Kept } from '#machines/onboarding/workspace.machine.ts';
import { ConfirmDialog } from '#steps/kit/AlertDialog.tsx';
import { CopyButton, Id } from '#steps/kit/CopyButton.tsx';
import { DataTable } from '#steps/kit/DataTable.tsx';
import { FailurePanel } from '#steps/kit/FailurePanel.tsx';
import { useFacts, useSend } from './console.tsx';
import { machine } from './ports/workspace.ts';
import { ExistingForm } from './ExistingForm.tsx';

type Company = Facts['companies'][number];

/** What is removed with it, for the question before. */
const removed: Record<Kept['kind'], string> = {
  subscription: 'Its record, its debtors and its creditors are removed from this console.',
  batch: 'Its record is removed from this console.',
  company: 'Everything that is kept of the company is removed from this console.',
  organisation: 'Its signing key and everything that is kept of its companies are removed from this console.',
};

/** What the service no longer knows of the current company, and how to go on. */
function Lost({ facts, onRemove }: { facts: Facts; onRemove: (record: Kept) => void }) {
  const { lost, settings } = facts;
  if (lost === '') return null;
  const id = { organisation: settings.organisationId, company: settings.companyId, subscription: settings.subscriptionId }[lost]; // prettier-ignore
  const anew = lost === 'subscription' ? 'subscription' : lost;
  return (
    <Box
      role="status"
      borderInlineStartWidth="4px"
      borderColor="failed"
      bg="failed.subtle"
      p="4"
      display="grid"
      gap="2"
    >
      <Text overflowWrap="anywhere">{requirement(lost).stands(facts)}.</Text>
      <Text>What is kept here of it cannot be used any more. Start over, or use another company.</Text>
      <Flex gap="2" wrap="wrap">
        <Button asChild variant="solid">
          <RouterLink to={addressOf(anew, { guided: true })}>Start over</RouterLink>
        </Button>
        <Button onClick={() => onRemove({ kind: lost, id })}>Remove this {lost} here</Button>
      </Flex>
    </Box>
  );
}

const nameOf = ({ companyName, companyId }: Company): string =>
  companyName || (companyId ? `Company ${companyId.slice(0, 8)}` : 'No company yet');

const recordColumns = [
  { id: 'kind', title: 'Kind', text: ({ kind }: Kept) => kind },
  { id: 'id', title: 'Id', text: ({ id }: Kept) => id },
] as const;

/** Organisations and companies: which is current, using another, entering, revealing and removing. */
export default function Workspace() {
  const facts = useFacts();
  const send = useSend();
  const telling = useMemo(() => machine.provide({ actions: { tell: () => send({ type: 'facts.stale' }) } }), [send]);
  const actor = useActorRef(telling);
  const snapshot = useSelector(actor, (now) => now);
  const { record, organisationId, signingKey, errors, failure } = snapshot.context;
  const resting = snapshot.matches('resting');
  const records = useMemo(
    (): Kept[] => [
      ...(JSON.parse(facts?.settings.subscriptions ?? '[]') as SubscriptionRecord[]).map(({ subscriptionId: id }) => ({
        kind: 'subscription' as const,
        id,
      })), // prettier-ignore -- the server assembles both lists by these shapes
      ...(JSON.parse(facts?.settings.postedBatches ?? '[]') as BatchRecord[]).map(({ batchId: id }) => ({ kind: 'batch' as const, id })), // prettier-ignore
    ],
    [facts],
  );
  if (!facts) return null;
  const remove = (each: Kept) => actor.send({ type: 'record.remove', record: each });
  const { companies, scope } = facts;

  return (
    <Box as="section" aria-labelledby="workspace" display="grid" gap="4">
      <Heading as="h2" id="workspace" size="xl">
        Organisations and companies
      </Heading>
      <Lost facts={facts} onRemove={remove} />
      {failure && resting && <FailurePanel problem={failure} />}
      {companies.length === 0 && (
        <Text color="fg.muted">None yet. Create an organisation, or enter an existing one.</Text>
      )}
      <Box as="ul" listStyleType="none" display="grid" gap="2">
        {companies.map((each) => (
          <Box as="li" key={each.scope} borderWidth="1px" borderRadius="sm" p="3" display="grid" gap="1">
            <Flex gap="2" wrap="wrap" align="center">
              <strong>{nameOf(each)}</strong>
              {each.scope === scope && <Text color="accent">Current company</Text>}
            </Flex>
            <Text fontSize="sm" color="fg.muted" overflowWrap="anywhere">
              {each.companyId && (
                <>
                  Company <Id value={each.companyId} what="the company id" />{' '}
                </>
              )}
              Organisation <Id value={each.organisationId} what="the organisation id" />
            </Text>
            <Flex gap="2" wrap="wrap">
              {each.scope !== scope && (
                <Button
                  size="sm"
                  aria-label={`Use ${nameOf(each)}`}
                  onClick={() => actor.send({ type: 'company.use', owner: each })}
                >
                  Use
                </Button>
              )}
              <Button
                size="sm"
                aria-label={`Reveal the signing key of ${nameOf(each)}`}
                onClick={() => actor.send({ type: 'key.reveal', organisationId: each.organisationId })}
              >
                Reveal signing key
              </Button>
              <Button
                size="sm"
                aria-label={`Remove ${nameOf(each)}`}
                onClick={() =>
                  remove(
                    each.companyId
                      ? { kind: 'company', id: each.companyId }
                      : { kind: 'organisation', id: each.organisationId },
                  )
                }
              >
                Remove
              </Button>
            </Flex>
          </Box>
        ))}
      </Box>
      {snapshot.matches('revealed') && (
        <Box role="status" p="3" bg="accent.subtle" display="grid" gap="2">
          <Text>The signing key, shown this once. Copy it now:</Text>
          <Flex gap="2" wrap="wrap" align="center">
            <Box as="code" overflowWrap="anywhere">
              {signingKey}
            </Box>
            <CopyButton text={signingKey} what="the signing key" />
            <Button size="sm" onClick={() => actor.send({ type: 'key.hide' })}>
              Hide
            </Button>
          </Flex>
        </Box>
      )}
      {snapshot.matches('entering') || snapshot.matches('submitting') ? (
        <ExistingForm
          busy={snapshot.matches('submitting')}
          errors={errors}
          failure={failure}
          onSubmit={(entered) => actor.send({ type: 'existing.submit', ...entered })}
          onCancel={() => actor.send({ type: 'dismiss' })}
        />
      ) : (
        <div>
          <Button onClick={() => actor.send({ type: 'existing.open' })}>Enter an existing company</Button>
        </div>
      )}
      {records.length > 0 && (
        <details>
          <summary>Remove what the service no longer knows</summary>
          <DataTable
            caption="records"
            columns={recordColumns}
            rows={records}
            rowKey={({ kind, id }) => `${kind} ${id}`}
            actions={(each) => (
              <Button size="sm" aria-label={`Remove ${each.kind} ${each.id}`} onClick={() => remove(each)}>
                Remove
              </Button>
            )}
            empty={null}
          />
        </details>
      )}
      {snapshot.matches('askingRemoval') && record && (
        <ConfirmDialog
          title={`Remove the ${record.kind} ${record.id}?`}
          confirmLabel="Remove"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text>
            {removed[record.kind]} This cannot be taken back. It is removed only if the service no longer knows it.
          </Text>
        </ConfirmDialog>
      )}
      {snapshot.matches('askingKey') && (
        <ConfirmDialog
          title="Reveal the signing key?"
          confirmLabel="Reveal once"
          onConfirm={() => actor.send({ type: 'confirm' })}
          onClose={() => actor.send({ type: 'dismiss' })}
        >
          <Text overflowWrap="anywhere">
            The signing key of organisation {organisationId} is shown once and for a minute. Whoever has it can act for
            the organisation. Afterwards the console keeps it and shows it to nobody.
          </Text>
        </ConfirmDialog>
      )}
    </Box>
  );
}
