/** What compiles patterns, which the page loads with the rules. */
import '#rules/linear.ts';
