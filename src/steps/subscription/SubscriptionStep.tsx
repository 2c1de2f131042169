import { SubscriptionScreen, type SubscriptionProps } from './SubscriptionScreen.tsx';

/** A subscription from the provider's own fields (behaviour, section 2: /onboardingsubscription). */
export default function SubscriptionStep({ actor }: SubscriptionProps) {
  return <SubscriptionScreen actor={actor} />;
}
