export const SEEDED_VIEW = {
  noun: ['shop', 'shops'] as const,
  id: 'data',
  columns: [{path: 'customers'}, {path: 'orders'}, {path: 'payments'}, {path: 'seed'}, {path: 'data'}],
} as const
