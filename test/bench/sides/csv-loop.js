// Takes a CSV file apart with csv-parse, and does nothing with its rows.
import {createReadStream} from 'node:fs'
import process from 'node:process'
import {parse} from 'csv-parse'

let rows = 0
for await (const row of createReadStream(process.argv[2]).pipe(parse())) rows += row.length > 0 ? 1 : 0
if (rows === 0) throw new Error('no rows')
