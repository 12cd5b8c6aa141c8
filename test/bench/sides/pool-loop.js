// Sends each line of a file as a request's body over a bare undici Pool, and reads the answers. With `durable` it commits
// an intent before each request and a result after it.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {Pool} from 'undici'

const [file, url, connections, headers, kind] = process.argv.slice(2)
const bodies = readFileSync(file, 'utf8').trimEnd().split('\n')
const {origin, pathname, search} = new URL(url)
const pool = new Pool(origin, {connections: Number(connections)})
const request = {path: pathname + search, method: 'POST', headers: JSON.parse(headers)}
const commits = kind === 'durable' ? (await import('./durable-commits.js')).openDurableCommits() : undefined
let at = 0

await Promise.all(
  Array.from({length: Number(connections)}, async () => {
    while (at < bodies.length) {
      const number = at++
      await commits?.keep(`intent ${number}`)
      const {statusCode, body} = await pool.request({...request, body: bodies[number]})
      const answer = await body.text()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${answer}`)
      await commits?.keep(`result ${number} ${statusCode}`)
    }
  }),
)
commits?.remove()
process.exit(0)
