/** Faults found in a call, as sentences; for a wrong signature also the expected and the signed text. */
export interface Findings {
  wrong: readonly string[];
  expected: string;
  signed: string;
}

interface PendingCall {
  addresses: readonly string[];
  findings?: Findings;
}

/**
 * The calls of programs that the console is forwarding to its embedded sandbox, under unguessable names. The sandbox
 * reports faults under these names.
 */
export function createObservedCalls(newId: () => string) {
  const pendingCalls = new Map<string, PendingCall>();
  return {
    addressesOf: (name: string) => pendingCalls.get(name)?.addresses,
    found(name: string, findings: Findings): void {
      const call = pendingCalls.get(name);
      if (call) call.findings = findings;
    },
    /**
     * Registers a call that came to one of these addresses. `end` removes it and returns the sandbox's findings;
     * undefined if the sandbox has reported none.
     */
    begin(addresses: readonly string[]): { name: string; end: () => Findings | undefined } {
      const name = newId();
      pendingCalls.set(name, { addresses });
      return {
        name,
        end() {
          const findings = pendingCalls.get(name)?.findings;
          pendingCalls.delete(name);
          return findings;
        },
      };
    },
  };
}

export type ObservedCalls = ReturnType<typeof createObservedCalls>;
