import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import {bundleModule} from '../../../bin/build/change-packages.js'
import {temporaryFolder} from '../../support/home.js'

const {resolve} = createRequire(import.meta.url)

test('a 100 Continue that nobody asked for comes before the response, and is none', async () => {
  const server = createServer(socket =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    }),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const file = join(temporaryFolder(), 'undici.mjs')
  writeFileSync(file, await bundleModule(resolve('undici')))
  const {Client} = await import(/* @vite-ignore */ pathToFileURL(file).href).then(({default: all}) => all)
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.destroy())
  const {statusCode, body} = await client.request({method: 'POST', path: '/', body: '{}'})
  expect([statusCode, await body.text()]).toEqual([200, 'ok'])
})
