import { Flex, Text } from '@chakra-ui/react';
import type { Invoice } from '#contract/payment.ts';
import { Checkbox } from '#ui/Field.tsx';

export const idOf = ({ invoiceId }: Invoice): string => invoiceId;

/** A checkbox. Without `label`, the surrounding label names it; `some` makes it indeterminate. */
export function Tick(props: {
  label?: string;
  checked: boolean;
  some?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { label, checked, some = false, onChange } = props;
  return (
    <Checkbox
      aria-label={label}
      checked={checked}
      ref={(input: HTMLInputElement | null) => void (input && (input.indeterminate = some))}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface Choice {
  chosen: ReadonlySet<string>;
  onTick: (ids: readonly string[]) => void;
}

/** Ticks or unticks all invoices in `shown` that are not paid; the others keep their state. */
export function TickAll({
  chosen,
  onTick,
  shown,
  filtered,
}: Choice & { shown: readonly Invoice[]; filtered: boolean }) {
  const open = shown.filter(({ payment }) => payment?.state !== 'paid');
  const ids = new Set(open.map(idOf));
  const on = open.filter(({ invoiceId }) => chosen.has(invoiceId)).length;
  const others = [...chosen].filter((id) => !ids.has(id));
  return (
    <Flex asChild gap="2" align="center">
      <label>
        <Tick
          checked={on > 0 && on === ids.size}
          some={on > 0 && on < ids.size}
          onChange={(checked) => onTick(checked ? [...others, ...ids] : others)}
        />
        {filtered ? `Select all ${ids.size} that the filter shows` : 'Select all invoices'}
      </label>
    </Flex>
  );
}

/** The number of ticked invoices, their total, and how many of them the filter hides. */
export function Ticked(props: Pick<Choice, 'chosen'> & { invoices: number; shown: readonly Invoice[]; total: string }) {
  const { chosen, invoices, shown, total } = props;
  const hidden = chosen.size - shown.filter(({ invoiceId }) => chosen.has(invoiceId)).length;
  return (
    <Text role="status">
      {chosen.size} of {invoices} selected{total && `: ${total}`}
      {hidden > 0 && ` (${hidden} of them not shown by the filter)`}
    </Text>
  );
}
