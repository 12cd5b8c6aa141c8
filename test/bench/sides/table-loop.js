// Loads the table writer and lays out 500 rows of 4 cells, once as ASCII and once of all scripts; prints how long it took.
import process from 'node:process'
import {pathToFileURL} from 'node:url'

const columns = [{path: 'id'}, {path: 'name'}, {path: 'email'}, {path: 'total', kind: 'number'}]
const view = {noun: ['order', 'orders'], columns, id: 'id'}
const NAMES = ['李小龍', 'Zoe\u0308 Mu\u0308ller', '👩‍👩‍👧 Lee', 'محمد']

const ascii = at => ({
  id: `10${at}`,
  name: `Ada Lovelace ${at}`,
  email: `ada${at}@example.com`,
  total: at / 10,
})
const mixed = at => ({...ascii(at), name: `${NAMES[at % NAMES.length]} ${at}`})

const begin = performance.now()
const {createTableWriter} = await import(pathToFileURL(process.argv[2]).href)
const loadMs = performance.now() - begin
const [asciiMs, mixedMs] = [ascii, mixed].map(layOut)
process.stdout.write(`${JSON.stringify({loadMs, asciiMs, mixedMs})}\n`)

function layOut(rowOf) {
  const rows = Array.from({length: 500}, (_, at) => rowOf(at))
  const start = performance.now()
  const writer = createTableWriter({view, fields: undefined, columns: 100})
  const text = rows.map(row => writer.formatRow(row)).join('') + writer.end()
  const ms = performance.now() - start
  if (text.split('\n').length !== 502) throw new Error('rows are missing')
  return ms
}
