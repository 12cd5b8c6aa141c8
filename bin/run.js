#!/usr/bin/env node
'use strict'
const {readFileSync, writeSync} = require('node:fs')
const {dirname, join} = require('node:path')

const root = dirname(__dirname)
const argv = process.argv.slice(2)

if (argv[0] === '--version') printVersion()
else main()

/** Straight to the descriptor: opening `process.stdout` would cost more than all the rest. */
function printVersion() {
  try {
    writeSync(1, `${userAgent()}\n`)
  } catch (error) {
    if (error.code !== 'EPIPE') report(error)
  }
}

function userAgent() {
  const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `storectl/${version} ${process.platform}-${process.arch} node-${process.version}`
}

async function main() {
  process.once('uncaughtException', fail)
  process.once('beforeExit', () => fail(new Error('the command stopped without having ended')))
  try {
    const {load, keep} = require('./code-cache.js').loader(join(root, 'dist'))
    const code = await load('start.cjs').run(argv, root, userAgent())
    await end(code, keep)
  } catch (error) {
    await fail(error)
  }
}

/** Waits until everything printed has been taken, and leaves whatever else is still open. */
async function end(code, last = () => {}) {
  process.exitCode ||= code
  const [failure] = await Promise.all([flushed(process.stdout), flushed(process.stderr)])
  if (failure && failure.code !== 'EPIPE' && process.exitCode === 0) report(failure)
  last()
  process.exit()
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
  const stack = argv.includes('--debug') ? `\n${error?.stack}` : ''
  try {
    writeSync(2, `error: ${error?.message ?? error}${stack}\n`)
  } catch {}
}
