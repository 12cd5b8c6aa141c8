// Rows in SQLite, each commit shared by those that wait for one, durable as `synchronous=FULL` has it.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const {DatabaseSync} = process.getBuiltinModule?.('node:sqlite') ?? (await import('@photostructure/sqlite'))

/** @returns `keep(body)`, which resolves once a row of that body is on disk, and `remove()`, which deletes all */
export function openDurableCommits() {
  const folder = mkdtempSync(join(tmpdir(), 'storectl-bench-durable-'))
  const database = new DatabaseSync(join(folder, 'kept.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000')
  database.exec('create table kept (id integer primary key, body text not null)')
  const insert = database.prepare('insert into kept (body) values (?)')
  let waiting = []
  const commit = () => {
    const group = waiting
    waiting = []
    database.exec('begin immediate')
    for (const {body} of group) insert.run(body)
    database.exec('commit')
    for (const {resolve} of group) resolve()
  }
  return {
    keep: body => {
      if (waiting.length === 0) setImmediate(commit)
      return new Promise(resolve => waiting.push({body, resolve}))
    },
    remove: () => rmSync(folder, {recursive: true, force: true}),
  }
}
