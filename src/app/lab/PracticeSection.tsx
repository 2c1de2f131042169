import { PracticeMatrix } from './PracticeMatrix.tsx';
import { Section } from './Section.tsx';

/** The failures to practise, each with its last result in this browser. */
export const PracticeSection = () => (
  <Section
    id="practice"
    title="Practise failures"
    says="Each cell makes the sandbox fail in one way and checks that the operation takes effect once, in a rehearsal company."
  >
    <PracticeMatrix />
  </Section>
);
