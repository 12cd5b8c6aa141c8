/**
 * The parts of `npm run test:long` by name: folders below `test/`. `rest` has what no other part has, and `shuffled`
 * repeats the fast tests. The weekly job ends one that takes more than 85 minutes.
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
