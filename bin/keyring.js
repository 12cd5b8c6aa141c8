// One thing done with the OS keyring, in a process of its own: a keyring on a bus that says nothing holds the thread that
// asks it for ever, in its asynchronous form too, and an exit waits for that thread. So a second thread asks, and the first
// ends the process when whoever started it is gone. A request takes some 45 ms, most of it for the thread.
// The request is a line of JSON on stdin (no secret is ever in argv or environment), the answer a line on stdout, after an
// empty one that says that asking has begun.
'use strict'
const {deflateRawSync, inflateRawSync} = require('node:zlib')
const {randomBytes} = require('node:crypto')
const {Worker, isMainThread, parentPort, workerData} = require('node:worker_threads')

/** What the packages say for programmers, in words for people. */
const REASONS = [
  [
    /Cannot find (module|native binding)/,
    'there is none for this machine in the installation (@napi-rs/keyring)',
  ],
  [/autolaunch/, 'there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set)'],
  [/no result found/, 'it has no collection to keep secrets in'],
  [/prompt was dismissed|object locked/, 'it is locked'],
]

/** What entries are kept under. */
const SERVICE = 'storectl'

// Without this the package would fall back, without a word, to kernel memory that a restart empties.
const OPTIONS = {linux: {store: 'secret-service'}}

/** What carries this file in itself has no file to start a thread from. */
const {startThread = workerData => new Worker(__filename, {workerData})} = module

function watch() {
  let line = ''
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', part => {
    line += part
    if (line.endsWith('\n')) ask(JSON.parse(line))
  })
  process.stdin.on('end', end)
}

function ask(request) {
  // Whoever waits counts from here: on a busy machine a process takes long to start.
  process.stdout.write('\n')
  const worker = startThread(request)
  worker.on('message', answer => process.stdout.write(`${JSON.stringify(answer)}\n`, end))
  worker.on('error', error => process.stdout.write(`${JSON.stringify({failure: reason(error)})}\n`, end))
}

/** An exit would wait for the thread that waits. */
function end() {
  process.kill(process.pid, 'SIGKILL')
}

function answered({act, account, text}) {
  try {
    const {Entry} = require('@napi-rs/keyring')
    const entry = name => new Entry(SERVICE, name, OPTIONS)
    if (act === 'read') return {text: read(entry(account))}
    if (act === 'write') return write(entry(account), text)
    if (act === 'remove') return {removed: entry(account).deleteCredential()}
    return probe(entry(`probe ${randomBytes(6).toString('hex')}`))
  } catch (error) {
    return {failure: reason(error)}
  }
}

/** Packed: a blob of Windows holds 2,560 bytes, and two tokens and a secret are more than that as they stand. */
function write(entry, text) {
  entry.setSecret(deflateRawSync(text))
  return {}
}

function read(entry) {
  const packed = entry.getSecret()
  return packed ? inflateRawSync(Buffer.from(packed)).toString('utf8') : undefined
}

/** Whether what is written can be read again, and taken away. */
function probe(entry) {
  const text = randomBytes(16).toString('hex')
  write(entry, text)
  const found = read(entry)
  entry.deleteCredential()
  return found === text ? {} : {failure: 'it gives back something else than was put in'}
}

function reason(error) {
  const [line = ''] = String(error?.message ?? error).split('\n')
  return REASONS.find(([pattern]) => pattern.test(line))?.[1] ?? line.trim()
}

if (isMainThread) watch()
else parentPort.postMessage(answered(workerData))
