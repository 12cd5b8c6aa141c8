import {expect, test} from 'vitest'
import {PROFILE_DETAIL, PROFILE_VIEW} from '../../src/auth/login/profile-view.js'
import {FIELDS} from '../../src/customer/fields/field-view.js'
import {FACET_BARS, FACETS} from '../../src/customer/search/facets.js'
import {CUSTOMERS} from '../../src/customer/view/customer-view.js'
import {ADDRESSES, CUSTOMER} from '../../src/customer/view/show-customer.js'
import {
  BACKUP_VIEW,
  COPIED_TABLES_VIEW,
  DATABASES_VIEW,
  MIGRATIONS_VIEW,
  RESTORED_VIEW,
} from '../../src/database/database-view.js'
import {CAPTURED} from '../../src/gateway/capture-view.js'
import {ORDER_VIEW, ORDERS} from '../../src/order/list-orders.js'
import {ORDER_RESULTS} from '../../src/order/submit/result-row.js'
import {FAULTS} from '../../src/order/validate/validate.js'
import type {Column, View} from '../../src/output/view.js'
import {DRIFT_VIEW} from '../../src/payment/reconcile/drift-row.js'
import {REPAIR_VIEW} from '../../src/payment/repair/repair-row.js'
import {PAYMENTS} from '../../src/payment/view/payment-row.js'
import {PAYMENT} from '../../src/payment/view/show-payment.js'
import {RUN_OVERVIEW} from '../../src/runs/report/run-overview.js'
import {RUN, RUN_RESULTS, RUNS} from '../../src/runs/report/run-view.js'
import {VERIFIED} from '../../src/runs/report/verify-runs.js'
import {SHOPS, STATUS} from '../../src/status/status-view.js'
import {ATTEMPTS, EVENT, EVENTS} from '../../src/webhook/inbox/event-view.js'
import {createBarView, GROUPS} from '../../src/webhook/inbox/group-view.js'
import {IMPORTED} from '../../src/webhook/provider/provider-import.js'
import {REGISTERED, REGISTRATION} from '../../src/webhook/registration/registration.js'
import {PLAN_VIEW} from '../../src/webhook/replay/replay-presentation.js'
import {REPLAY_VIEW} from '../../src/webhook/replay/replay-row.js'
import {RESOLUTIONS} from '../../src/webhook/triage/mark-events.js'
import {PRUNED} from '../../src/webhook/triage/triage.js'

const VIEWS: Readonly<Record<string, View>> = {
  FIELDS,
  FACETS,
  FACET_BARS,
  CUSTOMERS,
  CUSTOMER,
  ADDRESSES,
  MIGRATIONS_VIEW,
  COPIED_TABLES_VIEW,
  RESTORED_VIEW,
  BACKUP_VIEW,
  DATABASES_VIEW,
  PROFILE_DETAIL,
  PROFILE_VIEW,
  CAPTURED,
  ORDERS,
  ORDER_VIEW,
  ORDER_RESULTS,
  FAULTS,
  DRIFT_VIEW,
  REPAIR_VIEW,
  PAYMENTS,
  PAYMENT,
  RUN_OVERVIEW,
  RUNS,
  RUN,
  RUN_RESULTS,
  VERIFIED,
  GROUPS,
  GROUP_BARS: createBarView('cause'),
  EVENT,
  ATTEMPTS,
  EVENTS,
  IMPORTED,
  REGISTERED,
  REGISTRATION,
  PLAN_VIEW,
  REPLAY_VIEW,
  RESOLUTIONS,
  PRUNED,
  SHOPS,
  STATUS,
}

function describeColumn({path, ...more}: Column): string {
  const said = Object.entries(more).map(([name, value]) => (value === true ? name : `${name} ${value}`))
  return `  ${[path, ...said].join(', ')}`
}

function describeView([name, {noun, id, columns, ...more}]: [string, View]): string {
  const head = `${name}: ${noun.join(', ')}; id ${id}${Object.keys(more)
    .map(each => `; ${each}`)
    .join('')}`
  return [head, ...columns.map(describeColumn)].join('\n')
}

/** Told where they differ. */
const RENEW = 'npm run test:fast -- test/output/views.test.ts --update renews them'

test('the columns of every kind of row are those that scripts read and people know', async () => {
  const text = `${Object.entries(VIEWS).map(describeView).join('\n')}\n`
  await expect(text).toMatchFileSnapshot('../fixtures/views.txt', RENEW)
})
