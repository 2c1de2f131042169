import { strykerPlugins } from './testRunner.mjs';
const t = new strykerPlugins[0].injectableClass();
await t.init();
const s = Date.now();
const r = await t.dryRun();
console.log(process.env.ROOM, r.tests.length, (Date.now() - s) / 1000, r.tests.filter((x) => x.failureMessage).map((x) => [x.id, x.failureMessage.slice(0, 200)]));
process.exit();
