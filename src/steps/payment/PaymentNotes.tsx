import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import { creditorNotes, dateNote, noted, proposalLabel, proposedDay, reviewNotes } from '#machines/payment/notes.ts';
import { Callout } from '#ui/surfaces.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import type { PaymentActor } from './paymentActor.ts';

/** What is said of the chosen day and creditors, with the day that is proposed (behaviour, section 9). */
function FormNotes({ actor }: { actor: PaymentActor }) {
  const chosen = useContextValues(actor, ...noted);
  const { date, proposed, creditors } = useMemo(
    () => ({ date: dateNote(chosen), proposed: proposedDay(chosen), creditors: creditorNotes(chosen).join(' ') }),
    [chosen],
  );
  return (
    <div role="status">
      {(date || creditors) && (
        <Callout tone="waiting" size="sm">
          {date && (
            <Text>
              {date}{' '}
              {proposed && (
                <Button
                  variant="plain"
                  textDecoration="underline"
                  px="0"
                  height="auto"
                  onClick={() => actor.send({ type: 'date.choose', date: proposed })}
                >
                  {proposalLabel(proposed)}
                </Button>
              )}
            </Text>
          )}
          {creditors && <Text>{creditors}</Text>}
        </Callout>
      )}
    </div>
  );
}

/** The same in the review, where nothing can be changed. */
function ReviewNotes({ actor }: { actor: PaymentActor }) {
  const notes = useSelector(actor, ({ context }) => reviewNotes(context).join('\n'));
  return (
    notes && (
      <Callout role="note" tone="waiting" size="sm">
        {notes.split('\n').map((note) => (
          <Text key={note}>{note}</Text>
        ))}
      </Callout>
    )
  );
}

/** The notes of the form or of the review. */
export const PaymentNotes = ({ actor, review = false }: { actor: PaymentActor; review?: boolean }) =>
  review ? <ReviewNotes actor={actor} /> : <FormNotes actor={actor} />;
