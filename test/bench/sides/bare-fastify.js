// A Fastify that parses any JSON body and answers 200.
import process from 'node:process'
import fastify from 'fastify'

const app = fastify({logger: false})
app.post('/*', async request => ({ok: request.body !== undefined}))
const url = await app.listen({port: 0, host: '127.0.0.1'})
process.once('SIGTERM', () => process.exit(0))
process.stdout.write(`${JSON.stringify({url})}\n`)
