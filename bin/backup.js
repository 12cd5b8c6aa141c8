// Copies a SQLite file without what was deleted from it, and checks the copy, in a process of its own: SQLite hears no
// signal until a statement is done, so that whoever waits for it ends the process instead. Its own backup, page by page,
// could be stopped, but copies what was deleted.
// Arguments: the file, and an empty one for the copy. The answer is a line of JSON on stdout: what is wrong with the copy,
// or the error that stopped it.
'use strict'

const [file, to] = process.argv.slice(2)
const BUSY_TIMEOUT_MS = 5000

function openFile(name) {
  const {DatabaseSync} = process.getBuiltinModule('node:sqlite') ?? require('@photostructure/sqlite')
  const database = new DatabaseSync(name, {readOnly: true})
  database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma temp_store = file`)
  return database
}

function copyFile() {
  const source = openFile(file)
  source.prepare('vacuum into ?').run(to)
  source.close()
  const copy = openFile(to)
  const [{quick_check: found}] = copy.prepare('pragma quick_check(1)').all()
  copy.close()
  return {damage: found === 'ok' ? null : found}
}

function tryToCopy() {
  try {
    return copyFile()
  } catch ({message, code, errcode}) {
    return {error: {message, code, errcode}}
  }
}

process.stdout.write(`${JSON.stringify(tryToCopy())}\n`)
