'use strict'
const {execFileSync} = require('node:child_process')
const {mkdirSync, mkdtempSync, rmSync, writeFileSync} = require('node:fs')
const {tmpdir} = require('node:os')
const {dirname, join} = require('node:path')
const {constants, gzipSync} = require('node:zlib')

const LARGEST_BYTES = 1 << 30

/** As a tar archive is the same on each machine: the format, order by name, root as the owner, modes whatever the umask. */
const ALIKE = ['--format=ustar', '--sort=name', '--owner=root:0', '--group=root:0', '--mode=u=rwX,go=rX']

/**
 * Packs files and the folders that they are in, by GNU tar.
 *
 * @param {{path: string, bytes: Buffer, mode?: number}[]} files modes are 0o644 unless given
 * @param {number} seconds when all of them were changed, since 1970
 * @param {string} top the folder that all are in; `.` puts `./` before each path
 */
exports.writeTar = (files, seconds, top) => {
  const folder = mkdtempSync(join(tmpdir(), 'storectl-tar-'))
  try {
    for (const {path, bytes, mode} of files) {
      const file = join(folder, path)
      mkdirSync(dirname(file), {recursive: true})
      writeFileSync(file, bytes, {mode})
    }
    const words = ['--create', ...ALIKE, `--mtime=@${seconds}`, top]
    return execFileSync('tar', words, {cwd: folder, maxBuffer: LARGEST_BYTES})
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
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
    maxBuffer: LARGEST_BYTES,
  })
}
