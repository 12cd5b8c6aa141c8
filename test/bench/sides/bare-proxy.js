// A Fastify that hands every body on to the URL of its first argument, and answers as that does; it keeps nothing.
import process from 'node:process'
import fastify from 'fastify'
import {Pool} from 'undici'

const pool = new Pool(process.argv[2], {connections: 64})
const app = fastify({logger: false})
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
app.post('/*', async (request, reply) => {
  const {statusCode, body} = await pool.request({
    path: request.url,
    method: 'POST',
    headers: {'content-type': request.headers['content-type']},
    body: request.body,
  })
  return reply.code(statusCode).send(Buffer.from(await body.arrayBuffer()))
})
const url = await app.listen({port: 0, host: '127.0.0.1'})
process.once('SIGTERM', () => process.exit(0))
process.stdout.write(`${JSON.stringify({url})}\n`)
