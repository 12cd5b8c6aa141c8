import type {Presenter} from '../output/presenter.js'
import type {View} from '../output/view.js'
import type {DatabaseState, IntegrityCheck} from './database.js'

export const DATABASES_VIEW: View = {
  noun: ['database', 'databases'],
  id: 'location',
  columns: [
    {path: 'name', priority: 1, label: 'Database'},
    {path: 'engine', priority: 7},
    {path: 'state', priority: 2},
    {path: 'version', kind: 'number', priority: 8, label: 'Schema version'},
    {path: 'sizeBytes', header: 'SIZE', kind: 'bytes', priority: 5},
    {path: 'logBytes', header: 'LOG', kind: 'bytes', priority: 9, label: 'Write-ahead log'},
    {path: 'counts', priority: 6, isProse: true, label: 'Contents'},
    {path: 'oldest', kind: 'time', priority: 10},
    {path: 'newest', kind: 'time', priority: 11},
    {path: 'brokenIndices', header: 'BROKEN INDICES', priority: 4},
    {path: 'location'},
    {path: 'check', priority: 3},
    {path: 'problem', priority: 3, isProse: true},
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

export const RESTORED_VIEW: View = {
  noun: ['database', 'databases'],
  id: 'restored',
  columns: [
    {path: 'restored'},
    {path: 'why', isProse: true},
    {path: 'row', kind: 'number', label: 'Last row of the ledger of runs'},
    {path: 'seen', kind: 'number', label: 'Last row that this home has seen'},
  ],
}

export const BACKUP_VIEW: View = {
  noun: ['backup', 'backups'],
  id: 'file',
  columns: [
    {path: 'file'},
    {path: 'sizeBytes', header: 'SIZE', kind: 'bytes'},
    {path: 'version', kind: 'number', label: 'Schema version'},
    {path: 'counts', label: 'Contents'},
  ],
}

/** The row as people read it in a table: its contents in words. Other formats keep the counts. */
export function describeContents<DatabaseRow extends {readonly counts: Readonly<Record<string, number>>}>(
  row: DatabaseRow,
  {isInWords}: Pick<Presenter, 'isInWords'>,
) {
  return isInWords ? {...row, counts: describeCounts(row.counts)} : row
}

/** `60 events, 2 runs, 5 ledger entries`. */
function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en-US')} ${nameCounted(name, count)}`)
    .join(', ')
}

/** `fulfillment orders` for `fulfillmentOrders`, and `fulfillment order` for one of them. */
function nameCounted(key: string, count: number): string {
  const many =
    key === 'ledger' ? 'ledger entries' : key.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return count === 1 ? many.replace(/(ie)?s$/, end => (end === 'ies' ? 'y' : '')) : many
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
