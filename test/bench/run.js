// `npm run bench [-- PART…] [--peer 'gh --version']… [--rounds N]`: measures side by side and prints ratios.
//
// A part is a file in test/bench/parts that exports `about`, one line, and `bench(options)`, which resolves to the
// groups it measured, each `{title, rows}` as test/bench/table.js prints them.
import {mkdtemp, readdir, rm} from 'node:fs/promises'
import {cpus, tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import process from 'node:process'
import {parseArgs} from 'node:util'
import {printGroup} from './table.js'

const folder = join(import.meta.dirname, 'parts')
const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    peer: {type: 'string', multiple: true, default: []},
    rounds: {type: 'string', default: '30'},
  },
})
const names = (await readdir(folder)).filter(file => file.endsWith('.js')).map(file => basename(file, '.js'))
const unknown = positionals.filter(name => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`no such part: ${unknown.join(', ')}; there are ${names.join(', ')}\n`)
  process.exit(2)
}

const [{model = 'unknown'} = {}] = cpus()
process.stdout.write(
  `Node ${process.version}, ${process.platform}-${process.arch}, ${cpus().length} × ${model.trim()}\n`,
)
for (const name of positionals.length > 0 ? positionals : names.sort()) {
  const part = await import(join(folder, `${name}.js`))
  process.stdout.write(`\n${name}: ${part.about}\n`)
  const home = await mkdtemp(join(tmpdir(), 'storectl-bench-'))
  const root = join(import.meta.dirname, '../..')
  const options = {
    root,
    storectl: join(root, 'bin/run.js'),
    home,
    peers: values.peer,
    rounds: Number(values.rounds),
  }
  try {
    for (const group of await part.bench(options)) printGroup(group)
  } finally {
    await rm(home, {recursive: true, force: true})
  }
}
