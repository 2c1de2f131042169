import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useMemo, useState } from 'react';
import type * as Calendars from '#machines/payment/notes.ts';
import { noted } from '#machines/payment/payment.ts';
import { Callout } from '#ui/surfaces.tsx';
import { useContextValues } from '../kit/useContextValues.ts';
import type { PaymentActor } from './paymentActor.ts';

/** The calendars of the schemes, which only a payment needs; null until they are loaded, and if that fails. */
function useCalendars() {
  const [calendars, setCalendars] = useState<typeof Calendars | null>(null);
  useEffect(() => {
    import('#machines/payment/notes.ts').then(setCalendars, () => undefined);
  }, []);
  return calendars;
}

const nothing = { date: '', proposed: '', label: '', creditors: '' };

/** What is said of the chosen day and creditors, with the day that is proposed (behaviour, section 9). */
export function FormNotes({ actor }: { actor: PaymentActor }) {
  const chosen = useContextValues(actor, ...noted);
  const calendars = useCalendars();
  const { date, proposed, label, creditors } = useMemo(() => {
    if (!calendars) return nothing;
    const { dateNote, proposedDay, proposalLabel, creditorNotes } = calendars;
    const day = proposedDay(chosen);
    return {
      date: dateNote(chosen),
      proposed: day,
      label: day && proposalLabel(day),
      creditors: creditorNotes(chosen).join(' '),
    };
  }, [calendars, chosen]);
  return (
    <div role="status">
      {(date || creditors) && (
        <Callout tone="waiting" size="sm">
          {date && (
            <Text>
              {date}{' '}
              {label && (
                <Button
                  variant="plain"
                  textDecoration="underline"
                  px="0"
                  height="auto"
                  onClick={() => actor.send({ type: 'date.choose', date: proposed })}
                >
                  {label}
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
export function ReviewNotes({ actor }: { actor: PaymentActor }) {
  const calendars = useCalendars();
  const notes = useSelector(actor, ({ context }) => calendars?.reviewNotes(context).join('\n') ?? '');
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
