// A Fastify that parses any JSON body, stores it in a durable commit, and answers 200: what is left of its throughput is
// what a disk and SQLite leave.
import process from 'node:process'
import fastify from 'fastify'
import {openDurableCommits} from './durable-commits.js'

const {keep, remove} = openDurableCommits()
const app = fastify({logger: false})
app.addContentTypeParser('application/json', {parseAs: 'string'}, (_request, body, done) => {
  done(null, {text: body, value: JSON.parse(body)})
})
app.post('/*', async request => {
  await keep(request.body.text)
  return {ok: request.body.value !== undefined}
})
const url = await app.listen({port: 0, host: '127.0.0.1'})
process.once('SIGTERM', () => {
  remove()
  process.exit(0)
})
process.stdout.write(`${JSON.stringify({url})}\n`)
