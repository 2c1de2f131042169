/** All orders of a few values. */
export function permutations<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]];
  return values.flatMap((first, index) =>
    permutations([...values.slice(0, index), ...values.slice(index + 1)]).map((rest) => [first, ...rest]),
  );
}

/** `count` orders of many values, the same in each run: steps through them by numbers that are coprime to their number. */
export function shuffles<Value>(values: readonly Value[], count: number): Value[][] {
  const { length } = values;
  const coprime = (step: number): boolean => Array.from({ length }, (_, i) => (i * step) % length).every((at, i, all) => all.indexOf(at) === i); // prettier-ignore
  const steps = Array.from({ length: length - 1 }, (_, index) => index + 1).filter(coprime);
  return Array.from({ length: count }, (_, turn) => {
    const step = steps[turn % steps.length]!;
    return values.map((_value, index) => values[(index * step + turn * 5) % length]!);
  });
}
