// Keeps requests in flight for a while, for whoever sends `{url, headers, bodies, inFlight, seconds}` by IPC, and answers
// with `{perSecond, p99Ms, refused, requests}`, the last of them with those that warm up. In each body `@@@@@@@@@@@@` is a number that is never the same.
import process from 'node:process'
import {Pool} from 'undici'

const WARM_UP = 0.25
let serial = 0
/** Bodies sent so far, by URL: each server gets them all in turn, whatever others got. */
const sent = new Map()

process.on('message', async job => process.send(await measure(job).catch(error => ({error: error.message}))))

async function measure(job) {
  const {origin, pathname, search} = new URL(job.url)
  const pool = new Pool(origin, {connections: job.inFlight})
  const request = {path: pathname + search, method: 'POST', headers: job.headers}
  const warmUp = await flood(pool, request, job, job.seconds * WARM_UP)
  const measured = await flood(pool, request, job, job.seconds)
  await pool.destroy()
  return {...measured, requests: warmUp.requests + measured.requests}
}

function flood(pool, request, {url, bodies, inFlight}, seconds) {
  let at = sent.get(url) ?? 0
  const timesMs = []
  let refused = 0
  let running = inFlight
  const begin = performance.now()
  const end = begin + seconds * 1000
  return new Promise((resolve, reject) => {
    const next = () => {
      if (performance.now() < end) return send()
      if (--running > 0) return
      sent.set(url, at)
      const lasted = (performance.now() - begin) / 1000
      timesMs.sort((a, b) => a - b)
      resolve({
        perSecond: timesMs.length / lasted,
        p99Ms: timesMs[Math.floor(timesMs.length * 0.99)],
        refused,
        requests: timesMs.length,
      })
    }
    const send = () => {
      const sentAt = performance.now()
      const body = bodies[at++ % bodies.length].replaceAll('@@@@@@@@@@@@', String(serial++).padStart(12, '0'))
      pool.dispatch(
        {...request, body},
        {
          onRequestStart() {},
          onResponseStart(_controller, status) {
            if (status !== 200) refused++
          },
          onResponseData() {},
          onResponseEnd() {
            timesMs.push(performance.now() - sentAt)
            next()
          },
          onResponseError(_controller, error) {
            reject(error)
          },
        },
      )
    }
    for (let count = 0; count < inFlight; count++) send()
  })
}
