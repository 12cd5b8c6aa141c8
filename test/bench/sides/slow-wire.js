// A wire to a port of this machine that takes as many milliseconds each way as its second argument says.
import {connect, createServer} from 'node:net'
import process from 'node:process'

const [, , port, eachWayMs] = process.argv

const server = createServer(near => {
  const far = connect(Number(port), '127.0.0.1')
  for (const socket of [near, far]) socket.setNoDelay(true)
  pass(near, far)
  pass(far, near)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({port: server.address().port})}\n`)
})
process.once('SIGTERM', () => process.exit(0))

/** Timers of one length fire in the order in which they were set, so that no byte overtakes another. */
function pass(from, to) {
  const later = act => setTimeout(act, Number(eachWayMs))
  from.on('data', bytes => later(() => to.write(bytes)))
  from.on('close', () => later(() => to.destroy()))
  from.on('error', () => {})
}
