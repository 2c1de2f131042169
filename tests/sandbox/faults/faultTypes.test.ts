import { describe, expectTypeOf, it } from 'vitest';
import type { faultPlaces, FaultTarget } from '#contract/faults.ts';
import type { ServiceOperation } from '#contract/serviceCalls.ts';
import type { Fault } from '#contract/controlShapes.ts';
import type {
  AuthorisationFault,
  BatchFault,
  CallFault,
  CallName,
  DefinitionFault,
  FaultRule,
  MessageName,
  WebhookFault,
  WebhookName,
} from '#server/sandbox/faultRules.ts';

/** A fault as the package's types have it, with all its options. */
type Typed<On extends FaultTarget> = Whole<Extract<FaultRule, { on: On }>['fault']>;
type Whole<Value> = Value extends unknown ? Required<Value> : never;

describe('the types of the package for rules of the fault lab', () => {
  it('have exactly the kinds and options of the fault lab, for each target (behaviour 10.22.1)', () => {
    expectTypeOf<FaultRule['on']>().toEqualTypeOf<FaultTarget>();
    expectTypeOf<Whole<CallFault>>().toExtend<Fault<'call'>>();
    expectTypeOf<Fault<'call'>>().toExtend<Whole<CallFault>>();
    expectTypeOf<Whole<WebhookFault>>().toExtend<Fault<'webhook'>>();
    expectTypeOf<Fault<'webhook'>>().toExtend<Whole<WebhookFault>>();
    expectTypeOf<Typed<'put'>>().toExtend<Fault<'put'>>();
    expectTypeOf<Fault<'put'>>().toExtend<Typed<'put'>>();
    expectTypeOf<Typed<'message'>>().toExtend<Fault<'message'>>();
    expectTypeOf<Fault<'message'>>().toExtend<Typed<'message'>>();
    expectTypeOf<Typed<'login'>>().toExtend<Fault<'login'>>();
    expectTypeOf<Fault<'login'>>().toExtend<Typed<'login'>>();
    expectTypeOf<Whole<AuthorisationFault>>().toExtend<Fault<'authorisation'>>();
    expectTypeOf<Fault<'authorisation'>>().toExtend<Whole<AuthorisationFault>>();
    expectTypeOf<Whole<BatchFault>>().toExtend<Fault<'batch'>>();
    expectTypeOf<Fault<'batch'>>().toExtend<Whole<BatchFault>>();
    expectTypeOf<Whole<DefinitionFault>>().toExtend<Fault<'definition'>>();
    expectTypeOf<Fault<'definition'>>().toExtend<Whole<DefinitionFault>>();
  });

  it('have exactly the places of the fault lab', () => {
    type Places<On extends FaultTarget> = (typeof faultPlaces)[On][number];
    expectTypeOf<CallName>().toEqualTypeOf<ServiceOperation>();
    expectTypeOf<WebhookName>().toEqualTypeOf<Places<'webhook'>>();
    expectTypeOf<MessageName>().toExtend<Places<'message'>>();
    expectTypeOf<Extract<FaultRule, { on: 'put' }>['of']>().toEqualTypeOf<Places<'put'> | 'any' | undefined>();
    expectTypeOf<Extract<FaultRule, { on: 'batch' }>['of']>().toEqualTypeOf<Places<'batch'> | 'any' | undefined>();
  });

  it('refuse a kind, an option or a place of another target', () => {
    expectTypeOf<{ on: 'call'; fault: { kind: 'lose' } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'webhook'; of: 'createBatch'; fault: { kind: 'lose' } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'call'; fault: { kind: 'latency'; ms: string } }>().not.toExtend<FaultRule>();
    expectTypeOf<{ on: 'call'; fault: { kind: 'latency'; ms: 5 } }>().toExtend<FaultRule>();
  });
});
