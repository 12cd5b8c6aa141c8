'use strict'
// Run by the Node of an executable: `node --predictable --random-seed=1 compile.js ARCHIVE FOLDER`. Runs some commands of an
// archive. Where it has no joined modules, it lists those that the commands have loaded in FOLDER/shared.json. Else it loads
// all others, too, and writes what V8 cached of each script into the folder. Both flags together give the same bytes each
// time, and V8 takes such data without them.
const {mkdirSync, readFileSync, writeFileSync} = require('node:fs')
const {dirname, join} = require('node:path')
const {isModule, openArchive} = require('./archive.js')
const {createLoader, CACHED} = require('./loader.js')

/** Functions that they call are compiled in the cached data, others when they are called. What they load is joined. */
const COMMANDS = [
  ['auth', 'status', '--profile', 'local'],
  ['config', 'list'],
  ['profile', 'list'],
]

// Timers never end: on a slow machine, a command would set flags of V8, for which the data would be, and compile more.
globalThis.setTimeout = globalThis.setInterval = () => ({unref() {}})

const [file, folder] = process.argv.slice(2)
const root = '/storectl'
const archive = openArchive(readFileSync(file))
const {load, scripts} = createLoader(archive, root, name => require(name))

main().catch(error => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

async function main() {
  process.env.STORECTL_HOME = join(folder, 'home')
  const {run} = load('dist/start.cjs')
  for (const argv of COMMANDS) {
    const exit = await run([...argv], {root, read: archive.read}, 'storectl')
    if (exit !== 0) throw new Error(`storectl ${argv.join(' ')} ended with exit ${exit}`)
  }
  if (archive.listPaths().some(archive.isJoined)) compileAll()
  else listShared()
  process.exit()
}

function listShared() {
  const shared = [...scripts.keys()].filter(path => !path.startsWith('dist/commands/'))
  writeFileSync(join(folder, 'shared.json'), JSON.stringify(shared))
}

function compileAll() {
  for (const path of archive.listPaths().filter(isHarmless)) load(path)
  for (const [path, script] of scripts) keep(path, script.createCachedData())
}

/** Whether it does nothing by being loaded. */
function isHarmless(path) {
  return isModule(path) && !['bin/backup.js', 'bin/keyring.js'].includes(path)
}

function keep(path, data) {
  const to = join(folder, `${path}${CACHED}`)
  mkdirSync(dirname(to), {recursive: true})
  writeFileSync(to, data)
}
