import type {Migration} from '../../migrations.js'
import {chooseShopDialect} from '../choose-dialect.js'

/** What tells in which order deliveries were written down, where the engine does not know by itself. */
export const arrivals: Migration = {
  version: 4,
  name: 'arrivals',
  up: db => chooseShopDialect(db).arrivals.prepare(db),
}
