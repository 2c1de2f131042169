import { PracticeMatrix } from './PracticeMatrix.tsx';
import { Section } from './Section.tsx';

/** The failures to practise, each with its last result in this browser. */
export const PracticeSection = () => (
  <Section
    id="practice"
    title="Practise failures"
    says="Each cell makes the sandbox fail in one way, checks that the operation takes effect once, and opens the sequence of its calls. It runs in a rehearsal company; afterwards your company is the current one again, with your settings."
  >
    <PracticeMatrix />
  </Section>
);
