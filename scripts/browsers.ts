/**
 * Opens every page, and walks the guided path once, in Firefox and in WebKitGTK where they are installed. Ends with 1 if
 * a page does not come, or says an error.
 */
import { exit } from 'node:process';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { firefox, webkit } from './browsers/drivers.ts';
import { Visitor, type Driver } from './browsers/visitor.ts';

async function pages(visitor: Visitor, url: string): Promise<string[]> {
  const errors: string[] = [];
  for (const id of journeyOrder) {
    const { path, title } = journeyOf(id);
    await visitor.open(`${url}${path}`);
    await visitor.see('heading', title, false);
    errors.push(...(await visitor.errors()).map((error) => `${path}: ${error}`));
  }
  return errors;
}

async function visit(driver: Driver): Promise<boolean> {
  const program = await newConsole();
  try {
    await program.start();
    const visitor = new Visitor(driver);
    const errors = await pages(visitor, program.url);
    console.log(`${driver.name} ${driver.version}: ${journeyOrder.length} pages, ${errors.length} errors`);
    for (const error of errors) console.error(error);
    return errors.length === 0;
  } finally {
    await program.remove();
    await driver.close();
  }
}

let isFine = true;
for (const open of [firefox, webkit]) {
  const driver = await open();
  if (driver) isFine = (await visit(driver)) && isFine;
  else console.log(`${open.name} is not installed here and was not tried.`);
}
exit(isFine ? 0 : 1);
