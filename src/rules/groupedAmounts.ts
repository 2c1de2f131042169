/** Groups the thousands of the amounts in a text, e.g. "5,098,050.00 GBP". Changes no digit. */
export const groupedAmounts = (text: string): string =>
  text.replace(/(?<![\d.])\d{4,}(?=(\.\d+)?( |,|$))/g, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
