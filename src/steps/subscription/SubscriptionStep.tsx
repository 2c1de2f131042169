import { SubscriptionScreen, type SubscriptionProps } from './SubscriptionScreen.tsx';

/** Creates a subscription from the provider's fields (behaviour, section 2: /onboardingsubscription). */
export function SubscriptionStep({ actor }: SubscriptionProps) {
  return <SubscriptionScreen actor={actor} />;
}
