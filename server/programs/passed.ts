/** What was found to be wrong with a call: sentences, and for a signature the texts that had to be and were signed. */
export interface Findings {
  wrong: readonly string[];
  expected: string;
  signed: string;
}

interface Passing {
  addresses: readonly string[];
  findings?: Findings;
}

/**
 * The calls that the console is passing on to its embedded sandbox for programs, by names that nobody else can know. The
 * sandbox tells here what was wrong with them.
 */
export function createPassedCalls(newId: () => string) {
  const passing = new Map<string, Passing>();
  return {
    addressesOf: (name: string) => passing.get(name)?.addresses,
    found(name: string, findings: Findings): void {
      const call = passing.get(name);
      if (call) call.findings = findings;
    },
    /**
     * Names a call that came at one of these addresses. `end` forgets it, and returns what the sandbox has told; undefined
     * if it was not answered.
     */
    begin(addresses: readonly string[]): { name: string; end: () => Findings | undefined } {
      const name = newId();
      passing.set(name, { addresses });
      return {
        name,
        end() {
          const findings = passing.get(name)?.findings;
          passing.delete(name);
          return findings;
        },
      };
    },
  };
}

export type PassedCalls = ReturnType<typeof createPassedCalls>;
