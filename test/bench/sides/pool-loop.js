// Sends each line of a file as a request's body over a bare undici Pool, and reads the answers.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {Pool} from 'undici'

const [file, url, connections, headers] = process.argv.slice(2)
const bodies = readFileSync(file, 'utf8').trimEnd().split('\n')
const {origin, pathname, search} = new URL(url)
const pool = new Pool(origin, {connections: Number(connections)})
const request = {path: pathname + search, method: 'POST', headers: JSON.parse(headers)}
let at = 0

await Promise.all(
  Array.from({length: Number(connections)}, async () => {
    while (at < bodies.length) {
      const {statusCode, body} = await pool.request({...request, body: bodies[at++]})
      const answer = await body.text()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${answer}`)
    }
  }),
)
process.exit(0)
