import { SubscriptionScreen, type SubscriptionProps } from './SubscriptionScreen.tsx';

/** Creates a subscription by choosing a bank (behaviour, section 2: /openbankingsubscription). */
export function BankSubscriptionStep({ actor }: SubscriptionProps) {
  return <SubscriptionScreen actor={actor} destructiveCancel />;
}
