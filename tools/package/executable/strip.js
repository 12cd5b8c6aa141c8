'use strict'
// Removes what no program needs to run, symbols and debugging data, from an ELF file of 64 bits: the sections that are not
// loaded into memory. The `strip` of a machine knows that machine's processor alone, and another version of it writes
// other bytes.

const ELF64_LITTLE_ENDIAN = Buffer.from('\x7fELF\x02\x01', 'latin1')
const ALLOCATED = 2n // SHF_ALLOC
const SECTION_BYTES = 64
const ALIGNMENT_BYTES = 8

/**
 * @param {Buffer} elf
 * @returns {Buffer} with the same segments at the same offsets
 * @throws Error where it is no such file
 */
exports.stripElf = elf => {
  if (!elf.subarray(0, ELF64_LITTLE_ENDIAN.length).equals(ELF64_LITTLE_ENDIAN))
    throw new Error('no ELF file of 64 bits, least significant byte first')
  const sections = readSections(elf)
  const names = sections[elf.readUInt16LE(0x3e)]
  const kept = sections.filter(section => section.at === 0 || section.flags & ALLOCATED)
  const end = findEnd(elf)
  const begin = end + (-end & (ALIGNMENT_BYTES - 1))
  const {text, offsets} = copyNames(elf, names, [...kept, names])
  const tableAt = begin + text.length + (-text.length & (ALIGNMENT_BYTES - 1))
  const stripped = Buffer.alloc(tableAt + (kept.length + 1) * SECTION_BYTES)
  elf.copy(stripped, 0, 0, end)
  text.copy(stripped, begin)
  for (const [at, {header, link, info, flags}] of kept.entries()) {
    const to = stripped.subarray(tableAt + at * SECTION_BYTES)
    header.copy(to)
    to.writeUInt32LE(offsets[at], 0)
    to.writeUInt32LE(findIndex(kept, sections, link), 0x28)
    if (flags & INFO_IS_SECTION) to.writeUInt32LE(findIndex(kept, sections, info), 0x2c)
  }
  const last = stripped.subarray(tableAt + kept.length * SECTION_BYTES)
  names.header.copy(last)
  last.writeUInt32LE(offsets[kept.length], 0)
  last.writeBigUInt64LE(BigInt(begin), 0x18)
  last.writeBigUInt64LE(BigInt(text.length), 0x20)
  stripped.writeBigUInt64LE(BigInt(tableAt), 0x28)
  stripped.writeUInt16LE(kept.length + 1, 0x3c)
  stripped.writeUInt16LE(kept.length, 0x3e)
  return stripped
}

const INFO_IS_SECTION = 0x40n // SHF_INFO_LINK

function readSections(elf) {
  const tableAt = Number(elf.readBigUInt64LE(0x28))
  return Array.from({length: elf.readUInt16LE(0x3c)}, (_, at) => {
    const header = elf.subarray(tableAt + at * SECTION_BYTES, tableAt + (at + 1) * SECTION_BYTES)
    return {
      at,
      header,
      name: header.readUInt32LE(0),
      flags: header.readBigUInt64LE(8),
      offset: Number(header.readBigUInt64LE(0x18)),
      link: header.readUInt32LE(0x28),
      info: header.readUInt32LE(0x2c),
    }
  })
}

/** Where the last segment ends: what is loaded is in segments. */
function findEnd(elf) {
  const tableAt = Number(elf.readBigUInt64LE(0x20))
  const size = elf.readUInt16LE(0x36)
  const ends = Array.from({length: elf.readUInt16LE(0x38)}, (_, at) => {
    const segment = tableAt + at * size
    return Number(elf.readBigUInt64LE(segment + 8) + elf.readBigUInt64LE(segment + 0x20))
  })
  return Math.max(...ends)
}

/** The names of some sections, and where each begins. */
function copyNames(elf, names, sections) {
  const offsets = []
  let text = '\0'
  for (const {at, name} of sections) {
    const from = names.offset + name
    offsets.push(at === 0 ? 0 : text.length)
    if (at !== 0) text += `${elf.latin1Slice(from, elf.indexOf(0, from))}\0`
  }
  return {text: Buffer.from(text, 'latin1'), offsets}
}

/** Another number of the same section; 0 for one that is gone. */
function findIndex(kept, sections, number) {
  return Math.max(0, kept.indexOf(sections[number]))
}
