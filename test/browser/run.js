// `npm run test:browser`: the page of the bundled server in a real browser, ending with one line of counts.
import process from 'node:process'
import {readFlags} from '../../bin/build/read-flags.js'
import {conclude, vitest} from '../vitest-counts.js'
import {findChromium} from './find-chromium.js'

readFlags(`Opens the pages of the bundled server and of reports in the system's Chromium.

  npm run test:browser

CHROMIUM_PATH says where Chromium is; else it is found on PATH.
`)

const chromium = findChromium(process.env)
if (chromium) {
  conclude([await vitest('browser', 'test/vitest.browser.config.ts', {CHROMIUM_PATH: chromium})])
} else {
  const place = process.env.CHROMIUM_PATH ? `at CHROMIUM_PATH=${process.env.CHROMIUM_PATH}` : 'on PATH'
  process.stderr.write(`There is no Chromium ${place}. Install one, on Debian and Ubuntu by:
  apt-get install --no-install-recommends chromium
or say where it is: CHROMIUM_PATH=/path/to/chromium npm run test:browser
`)
  conclude([{passed: 0, failed: 1}])
}
