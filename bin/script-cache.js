'use strict'
const fs = require('node:fs')
const Module = require('node:module')
const {dirname, join, relative} = require('node:path')
const {Script} = require('node:vm')

// A cached chunk is: V8's data, the data once more, the source it was made from, and this much at the end.
const FOOTER_BYTES = 16
const MARK = 0x73746f72
// V8 copies data that does not begin on such a border.
const ALIGNMENT_BYTES = 8

/**
 * A CommonJS loader for one folder of chunks, on `vm.Script` with cached data.
 *
 * @param folder where the chunks are; all else goes through Node's own `require`
 * @param cache a folder that only this user can write
 */
exports.scriptLoader = (folder, cache) => {
  const kept = join(cache, `${process.version}-${process.arch}`)
  const modules = new Map()
  const fresh = []
  const requireOther = Module.createRequire(join(folder, 'any.cjs'))
  const load = file => {
    const known = modules.get(file)
    if (known) return known.exports
    const module = {exports: {}}
    modules.set(file, module)
    compile(file).call(module.exports, module.exports, requireFrom(file), module, file, dirname(file))
    return module.exports
  }
  const requireFrom = file => {
    const here = dirname(file)
    return name => (name.startsWith('.') ? load(join(here, name)) : requireOther(name))
  }
  const compile = file => {
    const source = fs.readFileSync(file)
    const place = join(kept, `${relative(folder, file).replaceAll(/[/\\]/g, '+')}.bin`)
    const cachedData = readKept(place, source)
    const script = new Script(Module.wrap(source.toString()), {filename: file, cachedData})
    if (cachedData === undefined || script.cachedDataRejected) fresh.push({place, source, script})
    return script.runInThisContext()
  }
  return {load: name => load(join(folder, name)), keep: () => fresh.forEach(keepOne)}
}

/** V8's data for exactly this source, or `undefined`: V8 itself checks neither the source nor the data. */
function readKept(place, source) {
  try {
    const all = fs.readFileSync(place)
    const footer = all.length - FOOTER_BYTES
    const size = all.readUInt32LE(footer)
    const copy = padded(size)
    const whole =
      all.readUInt32LE(footer + 12) === MARK &&
      all.readUInt32LE(footer + 4) === source.length &&
      2 * copy + source.length === footer &&
      all.compare(source, 0, source.length, 2 * copy, footer) === 0 &&
      all.compare(all, copy, copy + size, 0, size) === 0
    return whole ? all.subarray(0, size) : undefined
  } catch {
    return undefined
  }
}

/**
 * Written beside and moved into place, so that no other process ever reads a part; what a crash of the machine leaves
 * of it, the next reader finds out. A cache that cannot be written is no loss.
 */
function keepOne({place, source, script}) {
  const beside = `${place}.${process.pid}`
  try {
    const data = script.createCachedData()
    const twice = Buffer.alloc(2 * padded(data.length))
    data.copy(twice)
    data.copy(twice, padded(data.length))
    const footer = Buffer.alloc(FOOTER_BYTES)
    footer.writeUInt32LE(data.length, 0)
    footer.writeUInt32LE(source.length, 4)
    footer.writeUInt32LE(MARK, 12)
    if (!fs.existsSync(dirname(place))) fs.mkdirSync(dirname(place), {mode: 0o700})
    fs.writeFileSync(beside, Buffer.concat([twice, source, footer]), {flag: 'wx', mode: 0o600})
    fs.renameSync(beside, place)
  } catch {
    discard(beside)
  }
}

function discard(file) {
  try {
    fs.rmSync(file, {force: true})
  } catch {}
}

function padded(size) {
  return Math.ceil(size / ALIGNMENT_BYTES) * ALIGNMENT_BYTES
}
