'use strict'
const {execFileSync} = require('node:child_process')
const {constants, gzipSync} = require('node:zlib')

const BLOCK_BYTES = 512
const LONGEST_NAME = 100

/**
 * A tar archive (POSIX ustar) of files that belong to root.
 *
 * @param {{path: string, bytes?: Buffer, mode?: number}[]} entries in their order; without bytes a folder; modes as
 *   octal numbers, `0o644` and for folders `0o755` unless given
 * @param {number} seconds when all of them were changed, since 1970
 * @throws Error for a path of more than 100 bytes
 */
exports.writeTar = (entries, seconds) => {
  const parts = entries.flatMap(({path, bytes, mode}) => {
    if (Buffer.byteLength(path) > LONGEST_NAME) throw new Error(`${path} is too long for a tar archive`)
    const isFolder = bytes === undefined
    const header = writeHeader({path, mode: mode ?? (isFolder ? 0o755 : 0o644), isFolder, bytes, seconds})
    return isFolder ? [header] : [header, bytes, Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)])
}

function writeHeader({path, mode, isFolder, bytes, seconds}) {
  const header = Buffer.alloc(BLOCK_BYTES)
  const writeNumber = (number, at, digits) => header.write(number.toString(8).padStart(digits, '0'), at)
  header.write(path, 0)
  writeNumber(mode, 100, 7)
  writeNumber(0, 108, 7)
  writeNumber(0, 116, 7)
  writeNumber(bytes?.length ?? 0, 124, 11)
  writeNumber(seconds, 136, 11)
  header.write(isFolder ? '5' : '0', 156)
  header.write('ustar\0' + '00', 257)
  header.write('root', 265)
  header.write('root', 297)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** An `ar` archive, as a .deb is one. @param {[name: string, bytes: Buffer][]} members names of at most 16 bytes */
exports.writeAr = (members, seconds) => {
  const parts = members.flatMap(([name, bytes]) => [
    Buffer.from(
      `${name.padEnd(16)}${`${seconds}`.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${`${bytes.length}`.padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.from('\n'.repeat(bytes.length % 2)),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

/** Without a time and a name. @param {Buffer | string} bytes */
exports.gzip = bytes => gzipSync(bytes, {level: constants.Z_BEST_COMPRESSION})

/**
 * Packs by the `xz` of this machine, on one thread: several would cut the file in blocks.
 *
 * @param {string} arch its instructions are made alike first; xz before 5.4 cannot unpack that of arm64
 * @param {boolean} isQuick seconds instead of a minute, and larger
 */
exports.xz = (bytes, arch, isQuick) => {
  const filters = [...(arch === 'x64' ? ['--x86'] : []), `--lzma2=preset=${isQuick ? '0' : '6e'}`]
  return execFileSync('xz', ['--compress', '--stdout', '--threads=1', '--check=crc64', ...filters], {
    input: bytes,
    maxBuffer: 1 << 30,
  })
}
