import Router from '@koa/router';
import { clockChangeSchema, faultRuleSchema } from '#contract/labShapes.ts';
import type { BatchLife } from '../batchLife.ts';
import { parse, Problem } from '../problem.ts';
import type { Services } from '../services.ts';
import type { MovableClock } from './clock.ts';
import { controlled } from './controlled.ts';

/** What the lab moves besides its rules. */
interface Lab {
  clock: MovableClock;
  batches: BatchLife;
  /** Ends what the faults of calls hold up. */
  letGo: () => void;
}

/** Maximum number of rules, spent ones included. */
const mostRules = 100;

/**
 * The fault lab by HTTP (docs/lab.md). Each call carries the sandbox's control token as its bearer token;
 * otherwise it is refused with 401.
 */
export function labRoutes({ credentials, faults }: Services, { clock, batches, letGo }: Lab): Router {
  const router = new Router({ prefix: '/sandbox' });

  router.use(controlled(credentials));

  router.get('/faults', (ctx) => {
    ctx.body = { data: faults.list() };
  });

  router.post('/faults', (ctx) => {
    const rule = parse(faultRuleSchema, ctx.request.body);
    if (faults.list().length >= mostRules)
      throw new Problem(409, `The fault lab has ${mostRules} rules already: remove one of them`);
    ctx.body = { data: faults.add(rule) };
    ctx.status = 201;
  });

  /** Stops all faults, and closes the connections that they hold open. */
  router.delete('/faults', (ctx) => {
    faults.stop();
    letGo();
    ctx.status = 204;
  });

  router.delete('/faults/:ruleId', (ctx) => {
    const { ruleId = '' } = ctx.params;
    if (!faults.remove(ruleId)) throw new Problem(404, `The fault lab has no rule ${ruleId}`);
    ctx.status = 204;
  });

  /** Sends a batch on to its next state, as a provider does by itself unless the batch is stepped by hand. */
  router.post('/batches/:batchId/step', (ctx) => {
    const { batchId = '' } = ctx.params;
    const batch = batches.find(batchId);
    if (!batch) throw new Problem(404, `There is no batch ${batchId}`);
    ctx.body = { data: { batchId, status: batches.step(batch).status } };
  });

  const time = () => ({ data: { now: new Date(clock.now()).toISOString(), ...clock.state() } });

  router.get('/clock', (ctx) => {
    ctx.body = time();
  });

  router.patch('/clock', (ctx) => {
    const { move = 0, still } = parse(clockChangeSchema, ctx.request.body);
    if (move !== 0) clock.move(move);
    if (still === true) clock.stop();
    if (still === false) clock.run();
    ctx.body = time();
  });

  /** Sets the sandbox's clock to the machine's time. */
  router.delete('/clock', (ctx) => {
    clock.reset();
    ctx.body = time();
  });

  return router;
}
