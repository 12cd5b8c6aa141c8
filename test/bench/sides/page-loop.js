// Asks for the pages that a file lists, one request body a line, one after the other, and does nothing with them.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {Pool} from 'undici'

const [file, url, headers] = process.argv.slice(2)
const {origin, pathname: path} = new URL(url)
const pool = new Pool(origin, {connections: 1})
const request = {path, method: 'POST', headers: JSON.parse(headers)}

for (const page of readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const {statusCode, body} = await pool.request({...request, body: page})
  const bytes = await body.arrayBuffer()
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${Buffer.from(bytes)}`)
}
process.exit(0)
