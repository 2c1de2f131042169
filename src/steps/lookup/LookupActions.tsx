import { Bar } from '#ui/Bar.tsx';

/** The buttons of a lookup page: close it, or repeat the lookup. */
export function LookupActions({ actor }: { actor: { send: (event: { type: 'retry' | 'form.cancel' }) => void } }) {
  return (
    <Bar
      leave={[{ label: 'Close', onPress: () => actor.send({ type: 'form.cancel' }) }]}
      secondary={[{ label: 'Refresh', onPress: () => actor.send({ type: 'retry' }) }]}
    />
  );
}
