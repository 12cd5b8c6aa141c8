'use strict'
// Files as one block of bytes: 8 bytes with the length of the index, the index as JSON (path to [offset, bytes]), and the
// files. An executable holds them as one asset, because Node copies its table of assets at each request for one.
// Each file begins at a border of 8 bytes, as V8 wants it of its cached data.

const HEADER_BYTES = 8
const ALIGNMENT_BYTES = 8

/** What stands around the source of a module, so that its function can be made without joining texts. */
const HEAD = '(function(exports,require,module,__filename,__dirname){'
const TAIL = '\n})'

/**
 * @param {Map<string, Buffer>} files by path; those that end with `.js` or `.cjs` are ASCII
 * @returns {Buffer}
 */
exports.writeArchive = files => {
  /** @type {Record<string, [at: number, bytes: number]>} */
  const index = {}
  /** @type {Buffer[]} */
  const parts = []
  let length = 0
  const add = bytes => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [path, bytes] of files) {
    const [head, tail] = isModule(path) ? [HEAD, TAIL] : ['', '']
    add(Buffer.alloc(-(length + head.length) & (ALIGNMENT_BYTES - 1)))
    add(Buffer.from(head))
    index[path] = [length, bytes.length]
    add(bytes)
    add(Buffer.from(tail))
  }
  return joinParts(index, parts)
}

/** Offsets count from behind the index, so that its length changes none of them. */
function joinParts(index, parts) {
  const text = Buffer.from(JSON.stringify(index), 'latin1')
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(text.length)
  const gap = Buffer.alloc(-text.length & (ALIGNMENT_BYTES - 1))
  return Buffer.concat([header, text, gap, ...parts])
}

/**
 * @param {Buffer} bytes of `writeArchive`
 * @returns {{
 *   paths: readonly string[],
 *   has(path: string): boolean,
 *   read(path: string): Buffer,
 *   readFunction(path: string): string,
 * }} `readFunction` gives the source of a function around that of a module; `read` throws where there is no such file
 */
exports.openArchive = bytes => {
  const indexBytes = bytes.readUInt32LE(0)
  const index = JSON.parse(bytes.latin1Slice(HEADER_BYTES, HEADER_BYTES + indexBytes))
  const begin = HEADER_BYTES + indexBytes + (-indexBytes & (ALIGNMENT_BYTES - 1))
  const has = path => Object.hasOwn(index, path)
  const find = path => {
    if (!has(path)) throw Object.assign(new Error(`${path} is not in this executable`), {code: 'ENOENT'})
    const [at, length] = index[path]
    return [begin + at, begin + at + length]
  }
  return {
    paths: Object.keys(index),
    has,
    read: path => bytes.subarray(...find(path)),
    readFunction: path => {
      const [from, to] = find(path)
      return bytes.latin1Slice(from - HEAD.length, to + TAIL.length)
    },
  }
}

function isModule(path) {
  return /\.c?js$/.test(path) && !path.startsWith('dist/viewer/')
}

exports.isModule = isModule
