import {spawnSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {putShop} from '../../support/prepared-shop.js'
import {nameOf} from '../../support/skipped.js'
import {storectl} from '../../support/storectl.js'
import {onTerminal} from '../../support/terminal.js'

const isMissing = spawnSync('less', ['--version']).status !== 0

test.skipIf(isMissing)(
  nameOf('q leaves the pager of a comparison, and the comparison ends whole', isMissing && 'less'),
  async () => {
    const home = temporaryFolder()
    await putShop(home)
    const counts = ['--orders', '0', '--customers', '5', '--payments', '60', '--drift', '90%']
    await storectl(['server', 'seed', ...counts], {home})
    const compare = ['payment', 'reconcile', '--profile', 'local']
    const {exit, shown} = await onTerminal(compare, [['\n:', 'q']], {STORECTL_HOME: home}, [80, 12])
    const again = await storectl([...compare, '--resume', 'last', '-o', 'id'], {home})
    expect([exit, again.exit]).toEqual([3, 3])
    const [, differ] = /(\d+) differ/.exec(again.stderr) ?? []
    expect(shown).toContain(`${differ} differ`)
    expect(again.stderr).toContain('was complete')
  },
)
