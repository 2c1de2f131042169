import { expect, it } from 'vitest';
import { changedFiles, sourcePlants } from './sourcePlants.ts';

it.each(Object.keys(sourcePlants))('the changes by which a fault is planted fit their files: %s', (name) => {
  expect(changedFiles(name).size).toBeGreaterThan(0);
});

it('a fault that is not listed is refused with those that are', () => {
  expect(() => changedFiles('payments are lost')).toThrow(
    /^No fault is called payments are lost: there are covered invoices are not looked up, /,
  );
});
