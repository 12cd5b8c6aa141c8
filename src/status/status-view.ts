import type {ShopStatus} from '../contract/status-rows.js'
import {formatCount} from '../output/cell.js'
import type {View} from '../output/view.js'
import {formatAge, nameAmounts} from './event-tallies.js'

/** A row for each shop. */
export const SHOPS: View = {
  noun: ['shop', 'shops'],
  id: 'profile',
  hasCommands: true,
  columns: [
    {path: 'profile', header: 'SHOP', priority: 1},
    {path: 'state', priority: 2},
    {path: 'problems', isProse: true, priority: 3},
    {path: 'waiting.count', header: 'WAITING', kind: 'number', priority: 7},
    {path: 'failed.count', header: 'FAILED', kind: 'number', priority: 4},
    {path: 'failed.oldestAt', header: 'OLDEST', ageHeader: 'OLDEST', kind: 'time', priority: 8},
    {path: 'failed.amounts', header: 'AMOUNT', kind: 'money', priority: 9},
    {path: 'held.count', header: 'HELD', kind: 'number', priority: 5},
    {path: 'inDoubt.count', header: 'IN DOUBT', kind: 'number', priority: 6},
    {path: 'comparison.found', header: 'DIFFER', kind: 'number', priority: 10},
    {path: 'comparison.comparedAt', header: 'COMPARED', kind: 'time', priority: 11},
  ],
}

/** One shop on one screen. */
export const STATUS: View = {
  noun: ['shop', 'shops'],
  id: 'shop',
  hasCommands: true,
  columns: [
    {path: 'shop', label: 'Shop'},
    {path: 'problems', label: 'Needs a person', kind: 'lines'},
    {path: 'fix', label: 'Next', kind: 'lines'},
    {path: 'waiting', label: 'Waiting'},
    {path: 'failed', label: 'Failed'},
    {path: 'held', label: 'Held'},
    {path: 'inDoubt', label: 'In doubt'},
    {path: 'capture', label: 'Capture'},
    {path: 'watch', label: 'Watch'},
    {path: 'webhook', label: 'Webhook token'},
    {path: 'certificate', label: 'Certificate'},
    {path: 'signIn', label: 'Sign-in'},
    {path: 'run', label: 'Run'},
    {path: 'payments', label: 'Payments'},
  ],
}

/** A shop in words, as `STATUS` shows it; `null` for what it does not have. */
export function describeStatus(row: ShopStatus, now: Date) {
  const {profile, url, problems, fix, signIn, comparison} = row
  const findCheck = (name: string) => row.checks.find(({check}) => check === name)?.found ?? null
  const findServices = (name: string) => {
    const found = row.services.filter(({service}) => service === name)
    return found.map(each => describeService(each, now)).join('; ') || null
  }
  const describe = ({count, oldestAt, amounts}: ShopStatus['failed']) =>
    `${formatCount(count)}${nameAmounts(amounts)}${oldestAt === null ? '' : `, oldest ${formatAge(oldestAt, now)}`}`
  const runs = row.runs.map(
    ({kind, id, state, startedAt, who, reason}) =>
      `${kind} ${id} ${state}, begun ${formatAge(startedAt, now)} by ${who}${reason === null ? '' : `: ${reason}`}`,
  )
  const ends = signIn.expiresAt === null ? '' : `, token expires ${formatAge(signIn.expiresAt, now)}`
  return {
    shop: url === null ? profile : `${profile} (${url})`,
    problems: problems.length > 0 ? problems : ['nothing'],
    fix,
    ...{waiting: describe(row.waiting), failed: describe(row.failed)},
    ...{held: describe(row.held), inDoubt: describe(row.inDoubt)},
    ...{capture: findServices('capture') ?? 'none known', watch: findServices('watch')},
    ...{webhook: findCheck('webhook token'), certificate: findCheck('certificate')},
    signIn: signIn.signedIn ? `signed in${ends}` : (signIn.problem ?? 'not signed in'),
    run: runs.join('; ') || 'none under way',
    payments: comparison === null ? 'never compared' : describeComparison(comparison, now),
  }
}

function describeService(service: ShopStatus['services'][number], now: Date): string {
  const {state, host, pid, lastCallAt, heartbeatAt, awaySince} = service
  const isOver = state === 'ended' || state === 'unresponsive'
  const since = isOver ? heartbeatAt : awaySince
  const call = lastCallAt === null ? 'no call yet' : `last call ${formatAge(lastCallAt, now)}`
  return `${state}${since === null ? '' : ` ${formatAge(since, now)}`} on ${host} (pid ${pid}), ${call}`
}

function describeComparison(
  {found, kinds, amounts, comparedAt}: NonNullable<ShopStatus['comparison']>,
  now: Date,
): string {
  const each = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
  const what = found === 0 ? 'no difference' : `${each.join(', ')}${nameAmounts(amounts)}`
  return `${what}, compared ${formatAge(comparedAt, now)}`
}
