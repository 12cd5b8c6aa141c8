/**
 * The parts of `npm run test:long` by name: folders below `test/`. `rest` has what no other part has, `shuffled`
 * repeats the fast tests, and `conformance` asks the bundled server as each version. The weekly job ends one that takes more than 85 minutes.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PARTS = {
  conformance: [],
  mutants: ['mutants'],
  orders: ['order', 'runs'],
  shop: ['shop'],
  shuffled: [],
  simulation: ['simulation'],
  webhooks: ['webhook', 'gateway'],
  rest: [],
}
