import type { Context } from 'koa';

/** Lets a request pass, or refuses it by the Failure that it throws. */
export type Guard = (ctx: Context) => void | Promise<void>;

/** Lets a request meet guards in turn; the first that refuses it decides. */
export async function meet(guards: readonly Guard[], ctx: Context): Promise<void> {
  for (const guard of guards) await guard(ctx);
}
