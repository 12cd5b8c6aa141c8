// Preloaded by a process that is to die of kill -9 at one moment of a replay: KILL_AT is `before intent 7`,
// `after intent 7` or `before result 7`, where 7 counts records, or sendings that are about to leave.
const crypto = require('node:crypto')
const {Socket} = require('node:net')
const process = require('node:process')

const [when, kind, count] = (process.env.KILL_AT ?? '').split(' ')
let left = Number(count)

/** The moment has come so many times. */
function countDown() {
  if (--left > 0) return
  process.kill(process.pid, 'SIGKILL')
  // The signal is on its way; nothing more may happen until it is here.
  for (;;);
}

if (when === 'before') {
  // A record is chained to the one before it just before it is written.
  const {hash} = crypto
  const mark = `,"${kind}",`
  crypto.hash = (algorithm, text, ...rest) => {
    if (typeof text === 'string' && text.startsWith('["') && text.includes(mark)) countDown()
    return hash(algorithm, text, ...rest)
  }
}

if (when === 'after') {
  // An intent is on disk before the first byte of its sending leaves.
  const {write} = Socket.prototype
  Socket.prototype.write = function (chunk, ...rest) {
    if (typeof chunk === 'string' && /^x-replay-of:/im.test(chunk)) countDown()
    return write.call(this, chunk, ...rest)
  }
}
