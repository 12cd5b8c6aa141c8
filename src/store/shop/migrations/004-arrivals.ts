import type {Migration} from '../../migrations.js'
import {engineOf} from '../engine.js'

/** What tells in which order deliveries were written down, where the engine does not know by itself. */
export const arrivals: Migration = {
  version: 4,
  name: 'arrivals',
  up: db => engineOf(db).arrivals.prepare(db),
}
