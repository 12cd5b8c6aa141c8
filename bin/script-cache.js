'use strict'
const {isAscii} = require('node:buffer')
const fs = require('node:fs')
const {dirname, join, sep} = require('node:path')
const {Script} = require('node:vm')

// A pack is twice the same: V8's data, the source it was made from, the stamps of its chunks, and this much at the end.
const FOOTER_BYTES = 16
const MARK = 0x73746f73
// V8 copies data that does not begin on such a border.
const ALIGNMENT_BYTES = 8
const BLOCK_BYTES = 65536
const MOST_WORDS = 3
const HEAD = '(exports,require,module,__filename,__dirname){'

/**
 * A CommonJS loader for one folder of chunks, on one `vm.Script` with cached data for each command: what a command
 * loaded in its first run is one file for the second, which adds V8's data for all that it called.
 *
 * @param folder where the chunks are; all else goes through Node's own `require`, which finds the same from here
 * @param cache a folder that only this user can write
 * @param argv names the command
 */
exports.scriptLoader = (folder, cache, argv) => {
  const place = join(cache, `${process.version}-${process.arch}`, `${commandOf(folder, argv)}.pack`)
  const pack = openPack(place)
  const modules = new Map()
  const missing = []
  const load = name => {
    const known = modules.get(name)
    if (known) return known.exports
    const module = {exports: {}}
    modules.set(name, module)
    const file = placeOf(folder, name)
    functionOf(name, file).call(
      module.exports,
      module.exports,
      requireFrom(name),
      module,
      file,
      dirname(file),
    )
    return module.exports
  }
  const requireFrom = from => {
    const here = from.slice(0, from.lastIndexOf('/') + 1)
    return name => (name.startsWith('.') ? load(resolveFrom(here, name)) : require(name))
  }
  const functionOf = (name, file) => {
    const stamp = stampOf(file)
    if (pack.stamps[name] === stamp) return pack.functions[name]
    const source = fs.readFileSync(file, 'utf8')
    missing.push({name, stamp, source})
    return new Script(`(function${HEAD}${source}\n})`, {filename: file}).runInThisContext()
  }
  const keep = () => {
    if (missing.length > 0) keepPack(place, withChunks(folder, pack, missing))
    else if (!pack.isCompiled) keepPack(place, {...pack, data: pack.script.createCachedData()})
  }
  return {load, keep}
}

/** As `join`, which goes through every character, and so often that V8 would begin to optimise it. */
function placeOf(folder, name) {
  return folder + sep + (sep === '/' ? name : name.replaceAll('/', sep))
}

/**
 * @param here a folder within that of the chunks, with a slash at its end, or nothing
 * @param name begins with `./` or `../`
 */
function resolveFrom(here, name) {
  if (name.startsWith('./')) return here + name.slice('./'.length)
  const above = here.slice(0, here.lastIndexOf('/', here.length - 2) + 1)
  const rest = name.slice('../'.length)
  return rest.startsWith('.') ? resolveFrom(above, rest) : above + rest
}

/** The chunk of the command that is run, as the name of a file; `start` where it is none. */
function commandOf(folder, argv) {
  const end = argv.findIndex(word => !/^[a-z][a-z-]*$/.test(word))
  const words = argv.slice(0, Math.min(end < 0 ? argv.length : end, MOST_WORDS))
  for (; words.length > 0; words.pop())
    if (fs.existsSync(`${join(folder, 'commands', ...words)}.cjs`)) return words.join('+')
  return 'start'
}

/** Changes with every write to the file, whatever its time is set to. */
function stampOf(file) {
  const {ino, size, ctimeMs} = fs.statSync(file)
  return `${ino} ${size} ${ctimeMs}`
}

/** What is kept for a command; nothing where it is not there, not whole or not understood. */
function openPack(place) {
  const kept = readPack(place)
  if (!kept) return {stamps: {}}
  const {data, source, stamps} = kept
  const script = new Script(source, {filename: place, cachedData: data})
  const isCompiled = data !== undefined && !script.cachedDataRejected
  return {source, stamps, script, isCompiled, functions: script.runInThisContext()}
}

function readPack(place) {
  try {
    const all = readHalf(place)
    const footer = all.length - FOOTER_BYTES
    if (all.readUInt32LE(footer + 12) !== MARK) return
    const [dataBytes, sourceBytes, stampBytes] = [0, 4, 8].map(at => all.readUInt32LE(footer + at))
    const stampsAt = footer - stampBytes
    return {
      data: dataBytes > 0 ? all.subarray(0, dataBytes) : undefined,
      source: textOf(all.subarray(stampsAt - sourceBytes, stampsAt)),
      stamps: JSON.parse(all.toString('utf8', stampsAt, footer)),
    }
  } catch {}
}

/**
 * V8 checks neither the source nor its data: both halves of the file must agree, byte by byte. The second one is read in
 * blocks that stay in the processor's cache.
 */
function readHalf(place) {
  const file = fs.openSync(place)
  try {
    const half = Buffer.allocUnsafeSlow(fs.fstatSync(file).size / 2)
    if (fs.readSync(file, half) !== half.length) return
    const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    for (let at = 0, count; at < half.length; at += count) {
      count = fs.readSync(file, block, 0, BLOCK_BYTES, half.length + at)
      if (count === 0 || block.compare(half, at, at + count, 0, count) !== 0) return
    }
    return half
  } finally {
    fs.closeSync(file)
  }
}

/** Far faster where a byte is a character. */
function textOf(bytes) {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}

/** A pack of what was in the former one and is still the same, and of what was not; without V8's data. */
function withChunks(folder, {stamps}, missing) {
  const chunks = Object.entries(stamps).flatMap(([name, stamp]) => {
    const file = placeOf(folder, name)
    return fs.existsSync(file) && stampOf(file) === stamp
      ? [{name, stamp, source: fs.readFileSync(file, 'utf8')}]
      : []
  })
  const all = [...chunks, ...missing]
  const source = `({${all.map(({name, source}) => `${JSON.stringify(name)}:function${HEAD}${source}\n}`).join(',\n')}})`
  return {
    source,
    stamps: Object.fromEntries(all.map(({name, stamp}) => [name, stamp])),
    data: Buffer.alloc(0),
  }
}

/**
 * Written beside and moved into place, so that no other process ever reads a part; what a crash of the machine leaves
 * of it, the next reader finds out. A cache that cannot be written is no loss.
 */
function keepPack(place, {data, source, stamps}) {
  const beside = `${place}.${process.pid}`
  try {
    const sourceBytes = Buffer.from(source)
    const stampBytes = Buffer.from(JSON.stringify(stamps))
    const footer = Buffer.alloc(FOOTER_BYTES)
    for (const [at, part] of [data, sourceBytes, stampBytes].entries())
      footer.writeUInt32LE(part.length, 4 * at)
    footer.writeUInt32LE(MARK, 12)
    const gap = Buffer.alloc(-data.length & (ALIGNMENT_BYTES - 1))
    const half = [data, gap, sourceBytes, stampBytes, footer]
    if (!fs.existsSync(dirname(place))) fs.mkdirSync(dirname(place), {mode: 0o700})
    fs.writeFileSync(beside, Buffer.concat([...half, ...half]), {flag: 'wx', mode: 0o600})
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
