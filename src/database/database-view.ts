import type {View} from '../output/view.js'
import type {DatabaseState, IntegrityCheck} from './database.js'

export const DATABASES_VIEW: View = {
  noun: ['database', 'databases'],
  id: 'location',
  columns: [
    {path: 'name'},
    {path: 'engine'},
    {path: 'state'},
    {path: 'version', kind: 'number'},
    {path: 'sizeBytes', header: 'SIZE', kind: 'bytes'},
    {path: 'logBytes', header: 'LOG', kind: 'bytes'},
    {path: 'counts'},
    {path: 'oldest'},
    {path: 'newest'},
    {path: 'brokenIndices', header: 'BROKEN INDICES'},
    {path: 'location'},
    {path: 'check'},
    {path: 'problem'},
  ],
}

export const MIGRATIONS_VIEW: View = {
  noun: ['database', 'databases'],
  id: 'name',
  columns: [
    {path: 'name'},
    {path: 'steps'},
    {path: 'tookMs', header: 'TOOK MS', kind: 'number'},
    {path: 'location'},
  ],
}

export const COPIED_TABLES_VIEW: View = {
  noun: ['table', 'tables'],
  id: 'table',
  columns: [{path: 'database'}, {path: 'table'}, {path: 'rows', kind: 'number'}, {path: 'sha256'}],
}

export const BACKUP_VIEW: View = {
  noun: ['backup', 'backups'],
  id: 'file',
  columns: [
    {path: 'file'},
    {path: 'sizeBytes', header: 'SIZE', kind: 'bytes'},
    {path: 'version', kind: 'number'},
    {path: 'counts'},
  ],
}

/** A database as it is printed; `state` is `none`, `current`, `pending`, `too-new` or `unreadable`. Keys are stable. */
export function formatDatabaseRow(database: DatabaseState, checked?: IntegrityCheck) {
  const check = checked?.kind === 'damaged' ? checked.why : (checked?.kind ?? null)
  const {oldest, newest} = database
  return {
    ...database,
    ...{oldest: formatTime(oldest), newest: formatTime(newest)},
    state: describeState(database),
    check,
  }
}

function formatTime(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

function describeState({exists, pending, tooNew, problem}: DatabaseState): string {
  if (!exists) return 'none'
  if (problem !== null) return 'unreadable'
  if (tooNew.length > 0) return 'too-new'
  return pending.length > 0 ? 'pending' : 'current'
}
