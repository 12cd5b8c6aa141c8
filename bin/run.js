#!/usr/bin/env node
'use strict'
const {closeSync, readFileSync, writeSync} = require('node:fs')
const {dirname, join} = require('node:path')

const argv = process.argv.slice(2)
const isDebug = argv.includes('--debug')
/** Exit code after SIGHUP. */
const HUNG_UP = 129
let isStderrOpen = false
/** Where the files of the package come from. */
let files

/** What takes secrets out of a text, once the command line knows any. */
const said = {clean: text => text}

/**
 * Runs the command line.
 *
 * @param from where the files of the package come from: `root`, the folder of package.json; `read(path)`, the bytes of
 *   one, `dist/start.cjs`; `openLoader(argv, isDebug)`, which gives `load(path below dist)` and `keep()`, called last
 */
exports.run = from => {
  files = from
  if (argv[0] === '--version' || (argv[0] === 'version' && argv.length === 1)) printVersion()
  else if (!printHelp()) void main()
}

/** Files beside this one. */
function openFolder(root) {
  return {
    root,
    read: path => readFileSync(join(root, path)),
    openLoader: () => require('./code-cache.js').loader(join(root, 'dist'), argv, isDebug),
  }
}

/** Straight to the descriptor: opening `process.stdout` would cost more than all the rest. */
function printVersion() {
  try {
    writeSync(1, `${userAgent()}\n`)
  } catch (error) {
    if (error.code !== 'EPIPE') report(error)
  }
}

/** @returns whether that was all */
function printHelp() {
  const mayAsk = argv.length === 0 || argv[0] === 'help' || /^(--help|-h)$/.test(argv.at(-1))
  try {
    return (
      mayAsk &&
      !process.env.NODE_DEBUG &&
      require('./help-page.js').printHelpPage(argv, files.read, process.env)
    )
  } catch (error) {
    report(error)
    return true
  }
}

function userAgent() {
  const {version} = JSON.parse(files.read('package.json'))
  return `storectl/${version} ${process.platform}-${process.arch} node-${process.version}`
}

async function main() {
  watchStderr()
  process.once('uncaughtException', fail)
  if (process.env.NODE_DEBUG) quieten()
  process.once('beforeExit', () => fail(new Error('the command stopped without having ended')))
  try {
    if (isDebug) process.setSourceMapsEnabled(true)
    const {load, keep} = files.openLoader()
    const code = await load('start.cjs').run(argv, files, userAgent(), said)
    await end(code, keep)
  } catch (error) {
    await fail(error)
  }
}

/** To open it only to flush it would take a millisecond of every command that never writes there. */
function watchStderr() {
  const {get} = Object.getOwnPropertyDescriptor(process, 'stderr')
  const open = () => {
    isStderrOpen = true
    return get.call(process)
  }
  Object.defineProperty(process, 'stderr', {configurable: true, enumerable: true, get: open})
}

/** Node would print what is sent and received, with every secret in it, in this process and in those that it starts. */
function quieten() {
  delete process.env.NODE_DEBUG
  const {stderr, pid} = process
  const write = stderr.write.bind(stderr)
  const byNode = new RegExp(`^\\w+ (?:\\x1b\\[\\d+m)?${pid}(?:\\x1b\\[\\d+m)?: `)
  stderr.write = (text, ...rest) => (byNode.test(text) ? true : write(text, ...rest))
  write('warning: NODE_DEBUG would print secrets and is passed over; --debug shows each call without them\n')
}

/** Waits until everything printed has been taken, and leaves whatever else is still open. */
async function end(code, last = () => {}) {
  process.exitCode ||= code
  const [failure] = await Promise.all([flushed(process.stdout), isStderrOpen && flushed(process.stderr)])
  if (failure && failure.code !== 'EPIPE' && process.exitCode === 0) report(failure)
  last()
  if (process.exitCode === HUNG_UP || failure?.code === 'EIO') closeStreams()
  process.exit()
}

/** Node wants to set the modes of its terminal at the end, and aborts where that has gone. */
function closeStreams() {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor)
    } catch {}
  }
}

/** Resolves to what went wrong, if anything did. */
function flushed(stream) {
  return new Promise(resolve => {
    stream.on('error', resolve)
    if (stream.destroyed) resolve(stream.errored)
    else stream.write('', resolve)
  })
}

/** What nothing else has caught is a bug, or an output that cannot be written. */
async function fail(error) {
  report(error)
  await end(1)
}

/** One line; the stack only under `--debug`. */
function report(error) {
  process.exitCode = 1
  const stack = isDebug ? `\n${error?.stack}` : ''
  try {
    writeSync(2, said.clean(`error: ${error?.message ?? error}${stack}\n`))
  } catch {}
}

if (require.main === module) exports.run(openFolder(dirname(__dirname)))
