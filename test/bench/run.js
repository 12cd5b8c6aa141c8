// `npm run bench [-- PART…] [--peer 'gh --version']… [--json FILE] [--write] [sizes]`: measures side by side and prints
// ratios.
//
// A part is a file in test/bench/parts that exports `about`, one line, and `bench(options)`, an async generator of the
// groups it measured, each `{title, unit, rows}` as test/bench/table.js prints them.
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {cpus, tmpdir} from 'node:os'
import {basename, join, resolve} from 'node:path'
import process from 'node:process'
import {pathToFileURL} from 'node:url'
import {readFlags} from '../../bin/build/read-flags.js'
import {writeFigures} from '../figures.js'
import {groupText} from './table.js'

/** What can be set, with what it is unless told otherwise: all parts then take about eight minutes. */
const SIZES = {
  rounds: ['20', 'starts of each command'],
  repeats: ['3', 'runs of each side of a throughput'],
  seconds: ['1.5', 'length of one measurement of a server'],
  connections: ['50', 'connections, and sends at once'],
  load: ['32', 'requests in flight at a server'],
  events: ['10000', 'events of a replay'],
  orders: ['10000', 'orders to submit'],
  rows: ['100000', 'rows of the file of orders to check'],
  large: ['100', 'megabytes of the file of orders whose memory is looked at; 2000 takes some ten minutes'],
  customers: ['100000', 'customers to search'],
  shared: ['3000', 'events that workers share'],
  plans: ['1000000', 'events to plan'],
  million: ['1000000', 'customers of the part of that name'],
  inbox: ['1000000', 'events of the part of that name'],
  growth: ['100000', 'the most of the part of that name: 10,000 and ten times as many, up to it'],
}

// Every server and loop that is started is also ended with this process.
process.setMaxListeners(0)

const folder = join(import.meta.dirname, 'parts')
const known = (await readdir(folder))
  .filter(file => file.endsWith('.js'))
  .map(file => basename(file, '.js'))
  .sort()
const {values, positionals} = readFlags(renderHelp(), {
  allowPositionals: true,
  options: {
    peer: {type: 'string', multiple: true, default: []},
    executable: {type: 'string'},
    json: {type: 'string'},
    write: {type: 'boolean'},
    ...Object.fromEntries(
      Object.entries(SIZES).map(([name, [value]]) => [name, {type: 'string', default: value}]),
    ),
  },
})
const unknown = positionals.filter(name => !known.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`no such part: ${unknown.join(', ')}; there are ${known.join(', ')}\n`)
  process.exit(2)
}

const [{model = 'unknown'} = {}] = cpus()
const machine = `Node ${process.version}, ${process.platform}-${process.arch}, ${cpus().length} × ${model.trim()}`
process.stdout.write(`${machine}\n`)
const measured = []
// What was started goes with us.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
for (const name of positionals.length > 0 ? positionals : known) measured.push(await measure(name))
if (values.write) for (const {name, groups} of measured) writePart(name, groups)
if (values.json) {
  await writeFile(values.json, `${JSON.stringify({machine, sizes: sizes(), parts: measured}, null, 2)}\n`)
}

async function measure(name) {
  const part = await import(pathToFileURL(join(folder, `${name}.js`)).href)
  process.stdout.write(`\n## ${name}: ${part.about}\n`)
  const home = await mkdtemp(join(tmpdir(), 'storectl-bench-'))
  const root = join(import.meta.dirname, '../..')
  const groups = []
  try {
    const storectl = join(root, 'bin/run.js')
    const executable = values.executable && resolve(values.executable)
    for await (const group of part.bench({
      root,
      storectl,
      home,
      peers: values.peer,
      executable,
      ...sizes(),
    })) {
      groups.push(group)
      process.stdout.write(groupText(group))
    }
  } finally {
    await rm(home, {recursive: true, force: true})
  }
  return {name, about: part.about, groups}
}

/** The groups of a part into the page that shows it, with the sizes that were set beside their own. */
function writePart(name, groups) {
  const set = Object.entries(SIZES).filter(([size, [value]]) => values[size] !== value)
  const flags = set.map(([size]) => ` --${size} ${values[size]}`).join('')
  writeFigures(`bench ${name}`, `npm run bench -- ${name}${flags}`, groups.map(groupText).join(''))
}

function sizes() {
  return Object.fromEntries(Object.keys(SIZES).map(name => [name, Number(values[name])]))
}

function renderHelp() {
  const sizes = Object.entries(SIZES).map(([name, [value, about]]) => [`${name} N`, `${about} (${value})`])
  const flags = [
    ["peer 'gh --version'", 'another command to start beside ours; may be repeated'],
    ['executable FILE', 'one of `npm run package`, to start beside the Node that it holds'],
    ['json FILE', 'what was measured, as JSON'],
    ['write', 'put what was measured into docs/, with commit and date'],
    ...sizes,
  ].map(([flag, about]) => `  ${`--${flag}`.padEnd(24)}${about}\n`)
  return `Measures storectl beside bare programs that do the same, and prints ratios.

  npm run bench [-- PART…] [FLAGS]

parts: ${known.join(', ')}

${flags.join('')}`
}
