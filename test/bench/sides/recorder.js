// Stands before a shop, hands everything on, and writes the bodies of the searches of customers to a file, one a line.
import {appendFileSync} from 'node:fs'
import {createServer} from 'node:http'
import process from 'node:process'
import {Pool} from 'undici'

const [shop, file] = process.argv.slice(2)
const pool = new Pool(shop)

const server = createServer(async (request, response) => {
  const {method, url: path, headers} = request
  const body = Buffer.concat(await request.toArray())
  if (path === '/api/search/customer') appendFileSync(file, `${body}\n`)
  const answer = await pool.request({method, path, headers, body: body.length > 0 ? body : null})
  response.writeHead(answer.statusCode, answer.headers).end(Buffer.from(await answer.body.arrayBuffer()))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({url: `http://127.0.0.1:${server.address().port}`})}\n`)
})
process.once('SIGTERM', () => process.exit(0))
