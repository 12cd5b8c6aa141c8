import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {startServer} from '../../src/shop/shop.js'

/** A bundled shop as a process of its own, to be killed: prints its URL once it answers. */
const dataFolder = process.argv[2] ?? ''
const running = await startServer(
  {dataFolder},
  {
    now: () => new Date(),
    process: {pid: process.pid, start: '0'},
    isRunning: () => false,
    files: {
      readTextIfThere: file => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
      writeWhole: (file, text) => writeFileSync(file, text, {mode: 0o600}),
      makePrivateFolder: folder => void mkdirSync(folder, {recursive: true, mode: 0o700}),
      removeIfThere: file => rmSync(file, {force: true}),
    },
  },
)
process.stdout.write(`${running.url}\n`)
