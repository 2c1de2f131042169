/**
 * Walks the guided path once, and opens every page, in Firefox and in WebKitGTK where they are installed. Ends with 1 if
 * something does not come, a page says an error, or neither browser is there.
 */
import { exit } from 'node:process';
import { journeyOf, journeyOrder } from '../../src/machines/journeys.ts';
import { newConsole } from '../../tests/support/consoleProcess.ts';
import { firefox, NotInstalled, webkit } from './drivers.ts';
import { Visitor, type Driver } from './visitor.ts';
import { walk } from './walk.ts';

/** Opens each page by its address. Returns what went wrong in them. */
async function pages(visitor: Visitor, url: string): Promise<string[]> {
  const errors: string[] = [];
  for (const id of journeyOrder) {
    const { path } = journeyOf(id);
    await visitor.open(`${url}${path}`);
    await visitor.see('heading', /\S/); // after the guided path, many are headed by the record that they have created
    errors.push(...(await visitor.errors()).map((error) => `${path}: ${error}`));
  }
  return errors;
}

/** Whether all went well; says what did and what did not. */
async function visit(driver: Driver): Promise<boolean> {
  const program = await newConsole();
  const visitor = new Visitor(driver);
  const browser = `${driver.name} ${driver.version}`;
  const report = (what: string, errors: readonly string[]): boolean => {
    console.log(`${browser}: ${what}, ${errors.length} errors`);
    for (const error of errors) console.error(`  ${error}`);
    return errors.length === 0;
  };
  try {
    await program.start();
    const walked = report(
      'the guided path to a paid batch',
      await walk(visitor, program.url).finally(() => console.log(`${browser}: ${visitor.presses} presses`)),
    );
    return report(`${journeyOrder.length} pages`, await pages(visitor, program.url)) && walked;
  } catch (error) {
    console.error(`${browser}: ${String(error)}\n${program.printed()}`);
    return false;
  } finally {
    await program.remove();
    await driver.close();
  }
}

/** Whether all went well; undefined if the browser is not there, which is said. */
async function tryIn(open: () => Promise<Driver>): Promise<boolean | undefined> {
  try {
    return await visit(await open());
  } catch (error) {
    console.error(error instanceof NotInstalled ? `Not tried: ${error.message}` : error);
    return error instanceof NotInstalled ? undefined : false;
  }
}

const results = [await tryIn(firefox), await tryIn(webkit)];
if (results.every((result) => result === undefined)) console.error('No browser was tried.');
exit(results.includes(false) || !results.includes(true) ? 1 : 0);
