import type {Migration} from '../../migrations.js'
import {runs} from './001-runs.js'
import {webhooks} from './002-webhooks.js'
import {planOrder} from './003-plan-order.js'
import {resolutions} from './004-resolutions.js'
import {captures} from './005-captures.js'
import {changes} from './006-changes.js'
import {typesInIndices} from './007-types-in-indices.js'
import {busy} from './008-busy.js'
import {workers} from './009-workers.js'
import {turns} from './010-turns.js'

/** The steps of `records.db`, oldest first: one file each, `001-….ts`. A released step is never edited. */
export const recordsMigrations: readonly Migration[] = [
  runs,
  webhooks,
  planOrder,
  resolutions,
  captures,
  changes,
  typesInIndices,
  busy,
  workers,
  turns,
]
