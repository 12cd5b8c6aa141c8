import {expect, test} from 'vitest'
import {PRIVILEGES} from '../../src/doctor/privileges.js'
import {storectl} from '../support/storectl.js'

test.each(Object.entries(PRIVILEGES))('the help of %s names its privileges', async (command, privileges) => {
  const {stdout} = await storectl([...command.split(' '), '--help'])
  const help = stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain(`Privileges: ${privileges.join(', ')}.`)
})
