// A Fastify that parses any JSON body, keeps it by one insert in a commit shared by the requests in flight, durable as
// `synchronous=FULL` has it, and answers 200: what is left of its throughput is what a disk and SQLite leave.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import fastify from 'fastify'

const {DatabaseSync} = process.getBuiltinModule?.('node:sqlite') ?? (await import('@photostructure/sqlite'))
const folder = mkdtempSync(join(tmpdir(), 'storectl-bench-durable-'))
const database = new DatabaseSync(join(folder, 'kept.db'))
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000')
database.exec('create table kept (id integer primary key, body text not null)')
const insert = database.prepare('insert into kept (body) values (?)')

let waiting = []
function commit() {
  const group = waiting
  waiting = []
  database.exec('begin immediate')
  for (const {body} of group) insert.run(body)
  database.exec('commit')
  for (const {resolve} of group) resolve()
}
function keep(body) {
  if (waiting.length === 0) setImmediate(commit)
  return new Promise(resolve => waiting.push({body, resolve}))
}

const app = fastify({logger: false})
app.addContentTypeParser('application/json', {parseAs: 'string'}, (_request, body, done) => {
  done(null, {text: body, value: JSON.parse(body)})
})
app.post('/*', async request => {
  await keep(request.body.text)
  return {ok: request.body.value !== undefined}
})
const url = await app.listen({port: 0, host: '127.0.0.1'})
process.once('SIGTERM', () => {
  rmSync(folder, {recursive: true, force: true})
  process.exit(0)
})
process.stdout.write(`${JSON.stringify({url})}\n`)
