'use strict'
// Files as one block of bytes: 8 bytes with the length of the index, the index, and the files. An executable holds them as
// one asset, because Node copies its table of assets at each request for one. A line of the index has path, offset, bytes
// and whether the file is joined: a start reads a few of 800 lines, and as JSON it would parse them all. Each file that is
// no module begins at a border of 8 bytes, as V8 wants it of its cached data.

const HEADER_BYTES = 8
const ALIGNMENT_BYTES = 8

/** What stands around the source of a module, so that its function can be made without joining texts. */
const HEAD = '(function(exports,require,module,__filename,__dirname){'
const TAIL = '\n})'

/**
 * @param {Map<string, Buffer>} files by path; those that end with `.js` or `.cjs` are ASCII
 * @param {readonly string[]} joined modules that are also one script: an object with their functions by path
 * @returns {Buffer}
 */
exports.writeArchive = (files, joined) => {
  /** @type {[path: string, at: number, bytes: number, isJoined: 0 | 1][]} */
  const index = []
  /** @type {Buffer[]} */
  const parts = []
  let length = 0
  const add = bytes => {
    parts.push(Buffer.from(bytes))
    length += bytes.length
  }
  const addFile = (path, isJoined) => {
    const bytes = files.get(path)
    const [head, tail] = isModule(path) ? [HEAD, TAIL] : [Buffer.alloc(-length & (ALIGNMENT_BYTES - 1)), '']
    add(head)
    index.push([path, length, bytes.length, isJoined])
    add(bytes)
    add(tail)
  }
  add('({')
  for (const path of joined) {
    add(`${JSON.stringify(path)}:`)
    addFile(path, 1)
    add(',')
  }
  add('})')
  const scriptBytes = length
  for (const path of files.keys()) if (!joined.includes(path)) addFile(path, 0)
  const lines = index.map(entry => `${entry.join(' ')}\n`)
  return joinParts(`${scriptBytes}\n${lines.join('')}`, parts)
}

/** Offsets count from behind the index, so that its length changes none of them. */
function joinParts(index, parts) {
  const text = Buffer.from(index, 'latin1')
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(text.length)
  const gap = Buffer.alloc(-text.length & (ALIGNMENT_BYTES - 1))
  return Buffer.concat([header, text, gap, ...parts])
}

/**
 * @param {Buffer} bytes of `writeArchive`
 * @returns {{
 *   listPaths(): string[],
 *   has(path: string): boolean,
 *   isJoined(path: string): boolean,
 *   read(path: string): Buffer,
 *   readFunction(path: string): string,
 *   readJoined(): string,
 * }} `readFunction` gives the source of a function around that of a module, `readJoined` that of an object with those of
 *   all joined modules; `read` throws where there is no such file
 */
exports.openArchive = bytes => {
  const indexBytes = bytes.readUInt32LE(0)
  const index = bytes.latin1Slice(HEADER_BYTES, HEADER_BYTES + indexBytes)
  const begin = HEADER_BYTES + indexBytes + (-indexBytes & (ALIGNMENT_BYTES - 1))
  const has = path => index.includes(`\n${path} `)
  const find = path => {
    const line = index.indexOf(`\n${path} `)
    if (line < 0) throw Object.assign(new Error(`${path} is not in this executable`), {code: 'ENOENT'})
    const numbers = line + 1 + path.length + 1
    const [at, length, isJoined] = index.slice(numbers, index.indexOf('\n', numbers)).split(' ').map(Number)
    return {from: begin + at, to: begin + at + length, isJoined: isJoined === 1}
  }
  return {
    // Copies: with a script whose name is a part of the index, V8 would cache all of it.
    listPaths: () => structuredClone(index.match(/^\S+(?= )/gm)),
    has,
    isJoined: path => find(path).isJoined,
    read: path => {
      const {from, to} = find(path)
      return bytes.subarray(from, to)
    },
    readFunction: path => {
      const {from, to} = find(path)
      return bytes.latin1Slice(from - HEAD.length, to + TAIL.length)
    },
    readJoined: () => bytes.latin1Slice(begin, begin + Number.parseInt(index, 10)),
  }
}

function isModule(path) {
  return /\.c?js$/.test(path) && !path.startsWith('dist/viewer/')
}

exports.isModule = isModule
