import { Bar } from '../kit/Bar.tsx';

/** What can be done on a page that asks and shows: ask once more, leave. */
export function LookupActions({ actor }: { actor: { send: (event: { type: 'retry' | 'form.cancel' }) => void } }) {
  return (
    <Bar
      leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
      secondary={[{ label: 'Look again', onPress: () => actor.send({ type: 'retry' }) }]}
    />
  );
}
