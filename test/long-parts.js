/**
 * The parts of `npm run test:long` by name, each of at most 85 minutes on two cores: folders below `test/`. `rest` has
 * what no other part has, and `shuffled` repeats the fast tests.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PARTS = {
  mutants: ['mutants'],
  orders: ['order', 'runs'],
  shop: ['shop'],
  shuffled: [],
  simulation: ['simulation'],
  webhooks: ['webhook', 'gateway'],
  rest: [],
}
