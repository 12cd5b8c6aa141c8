// Help pages as the build has rendered them for the common widths: written as they are, without loading anything else.
'use strict'
const {fstatSync, statSync, writeSync} = require('node:fs')

/** Widths that the build renders; a pipe has that of the first. */
exports.WIDTHS = [80, 100, 120, 200]

/**
 * Prints the page that the words ask for.
 *
 * @param read gives the bytes of a file of the package: `dist/help/WIDTH.json` is an object of pages by their words
 * @returns whether there is one; nothing was printed otherwise
 */
exports.printHelpPage = (argv, read, env) => {
  const words = readHelpWords(argv)
  if (words === undefined) return false
  const isTerminal = isDevice(1) && require('node:tty').isatty(1)
  const width = isTerminal ? process.stdout.columns : exports.WIDTHS[0]
  if (!exports.WIDTHS.includes(width)) return false
  const page = readPages(read, `dist/help/${width}.json`)[words]
  if (page === undefined || (isTerminal && isLong(page))) return false
  const isBold = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  writeAll(Buffer.from(isBold ? page : page.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '')))
  return true
}

/** Longer than the screen: the command line has a pager for it. */
function isLong(page) {
  return page.split('\n').length > process.stdout.rows
}

/** Only what is surely a question for help: `--help` last, behind plain words; `help` first; or nothing at all. */
function readHelpWords(argv) {
  const asksLast = /^(--help|-h)$/.test(argv.at(-1) ?? '')
  const words = asksLast ? argv.slice(0, -1) : argv
  if (words.some(word => word.startsWith('-'))) return undefined
  if (words[0] === 'help') return words.slice(1).join(' ')
  return asksLast || argv.length === 0 ? words.join(' ') : undefined
}

/** Whether it may be a terminal: to ask Node loads its network code, which a pipe, a file and /dev/null go without. */
function isDevice(descriptor) {
  const stat = fstatSync(descriptor)
  if (!stat.isCharacterDevice()) return false
  const nothing = statSync('/dev/null', {throwIfNoEntry: false})
  return stat.rdev !== nothing?.rdev
}

/** A package without its pages renders them. */
function readPages(read, path) {
  try {
    return JSON.parse(read(path))
  } catch {
    return {}
  }
}

/** Straight to the descriptor, as opening `process.stdout` costs more; a pipe that is full is left to the stream. */
function writeAll(bytes) {
  let at = 0
  try {
    while (at < bytes.length) at += writeSync(1, bytes, at)
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(bytes.subarray(at))
    else if (error.code !== 'EPIPE') throw error
  }
}
