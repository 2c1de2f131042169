import { createElement, lazy, Suspense, type ComponentType } from 'react';
import type { PaymentActor } from './paymentActor.ts';

interface Props {
  actor: PaymentActor;
  review?: boolean;
}

const Loaded = lazy<ComponentType<Props>>(() =>
  import('./PaymentNotes.tsx').then(
    ({ PaymentNotes }) => ({ default: PaymentNotes }),
    () => ({ default: () => null }),
  ),
);

/** What is said of a payment, loaded with the calendars of the schemes; nothing until then, and if that fails. */
export const Notes = (props: Props) => createElement(Suspense, null, createElement(Loaded, props));
