import {CUSTOMERS} from '../../customer/view/customer-view.js'
import {ORDER_RESULT_FIELDS} from '../../flags/order-flags.js'
import {EVENT_RESULT_FIELDS} from '../../flags/replay-flags.js'
import {DURATION_FORMS, TIME_FORMS} from '../../language/quantities.js'
import {LIST_OPERATORS, SINGLE_OPERATORS} from '../../language/where/condition.js'
import {ORDER_ROW_FIELDS, ORDERS} from '../../order/list-orders.js'
import type {View} from '../../output/view.js'
import {PAYMENT_FIELDS} from '../../payment/reconcile/payment-fields.js'
import {PAYMENTS} from '../../payment/view/payment-row.js'
import {RUN_FIELDS} from '../../runs/report/run-fields.js'
import {RUNS} from '../../runs/report/run-view.js'
import {CAUSE_ROWS, type Remedy} from '../../webhook/event/cause.js'
import {EVENT_FIELDS, PRINTED_EVENT_FIELDS} from '../../webhook/event/event-fields.js'
import {EVENT_FORMATS} from '../../webhook/import/formats/formats.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

type Rows = readonly (readonly [string, string])[]

/** `storectl help time` */
function renderTimeHelp(layout: HelpLayout): string {
  return joinSections([
    renderExamples(['webhook list --since 3h', 'webhook list --since yesterday --until 09:00'], layout),
    renderTable('TIMES', TIME_FORMS, layout),
    renderTable('DURATIONS', DURATION_FORMS, layout),
  ])
}

/** `storectl help where` */
function renderWhereHelp(layout: HelpLayout): string {
  const events = Object.entries(EVENT_FIELDS).map(([name, type]) => [name, type] as const)
  const payments = Object.entries(PAYMENT_FIELDS).map(([name, {type}]) => [name, type] as const)
  const orders = Object.entries(ORDER_ROW_FIELDS).map(([name, {type}]) => [name, type] as const)
  const runs = Object.entries(RUN_FIELDS).map(([name, {type}]) => [name, type] as const)
  const examples = [
    `webhook list --where 'answer = 400 and not message contains "token"'`,
    `webhook list --where 'amount > 100 and currency in ("EUR", "CHF")'`,
    `webhook list --where 'body.resource.invoice_id is not null'`,
    `payment reconcile --where 'state = "open"'`,
    `customer search --where 'orderCount >= 5 or company = "Acme"'`,
  ]
  const operators: Rows = [
    ['one value', SINGLE_OPERATORS.join('  ')],
    ['a list', `${LIST_OPERATORS.join('  ')}: in ("a", "b")`],
    ['empty', 'is null, is not null'],
    ['joined', 'and, or, not, ( )'],
  ]
  return joinSections([
    renderExamples(examples, layout),
    renderTable('OPERATORS', operators, layout),
    renderTable(
      'FIELDS OF EVENTS',
      [...groupByType(events), ['any', 'body.NAME: a member of the body']],
      layout,
    ),
    renderTable('FIELDS OF PAYMENTS', groupByType(payments), layout),
    renderTable('FIELDS OF ORDERS', groupByType(orders), layout),
    renderTable('FIELDS OF RUNS', groupByType(runs), layout),
    renderSection('FIELDS OF CUSTOMERS', ['storectl customer fields'], layout),
  ])
}

/** `number  answer, attempts` */
function groupByType(fields: Rows): Rows {
  const types = [...new Set(fields.map(([, type]) => type))]
  return types.map(type => [
    type,
    fields
      .filter(each => each[1] === type)
      .map(([name]) => name)
      .join(', '),
  ])
}

const WHAT_HELPS: Readonly<Record<Remedy, string>> = {
  replay: 'storectl webhook replay',
  resolve: 'storectl webhook resolve',
  'set-up': 'a setting of storectl or of the shop',
  'by-hand': 'a decision by hand',
  none: 'nothing to do',
}

/** `storectl help causes` */
function renderCausesHelp(layout: HelpLayout): string {
  const rows = Object.entries(CAUSE_ROWS).map(
    ([name, {detail, remedy, before = '', next = '', flags = ''}]) => {
      const helps = [before, next || `${WHAT_HELPS[remedy]}${flags}`].filter(Boolean).join('; then ')
      return [name, `${detail}\nWhat helps: ${helps}`] as const
    },
  )
  const about = '"webhook diagnose" finds why an event failed, and the command that helps.'
  return joinSections([
    renderExamples(['webhook diagnose', 'webhook replay --cause shop-unavailable --dry-run'], layout),
    renderSection('ABOUT', wrap(about, layout.columns - 2), layout),
    renderTable('CAUSES', rows, layout),
  ])
}

/** `storectl help fields` */
function renderFieldsHelp(layout: HelpLayout): string {
  const listPaths = ({columns}: View) => columns.map(({path}) => path).join(', ')
  const rows: Rows = [
    ['webhook list', PRINTED_EVENT_FIELDS.join(', ')],
    ['webhook replay', EVENT_RESULT_FIELDS.join(', ')],
    ['order list', listPaths(ORDERS)],
    ['order submit', ORDER_RESULT_FIELDS.join(', ')],
    ['payment list', listPaths(PAYMENTS)],
    ['run list', listPaths(RUNS)],
    ['customer search', `${listPaths(CUSTOMERS)}; all of them: storectl customer fields`],
  ]
  const about =
    'A row has these fields, named as in its JSON. Of any other command, -o json prints the fields. A dot leads into an object.'
  return joinSections([
    renderExamples(
      ['webhook list --fields id,status,message', 'order list --fields orderNumber -o csv'],
      layout,
    ),
    renderSection('ABOUT', wrap(about, layout.columns - 2), layout),
    renderTable('FIELDS', rows, layout),
  ])
}

/** What each format of `webhook import` is; docs/webhooks.md says more. */
const FORMAT_MEANINGS: Readonly<Record<string, string>> = {
  json: 'One event, several, or a list of them',
  ndjson: 'One event or captured request a line',
  har: 'Requests that a browser or proxy recorded',
  curl: 'curl commands, or the output of curl -v',
  http: 'Raw requests, with their responses',
  nginx: 'Logs of nginx with $request_body',
  log: "Shopware's log, ModSecurity's audit log, or any log line with an event",
}

/** `storectl help files` */
function renderFilesHelp(layout: HelpLayout): string {
  const others: Rows = [
    ['webhook replay FILE', 'Events, in the same formats'],
    ['order submit FILE', 'CSV or JSON; "order template" prints one to fill in'],
    ['--apply FILE', 'A plan that --plan FILE wrote'],
    ['customer search --criteria', "The shop's search criteria as JSON, or @FILE"],
    ['-', 'Standard input, in place of a file'],
  ]
  return joinSections([
    renderExamples(['webhook import access.log', 'webhook import - < events.ndjson'], layout),
    renderTable(
      'FORMATS OF WEBHOOK IMPORT',
      EVENT_FORMATS.map(name => [name, FORMAT_MEANINGS[name] ?? '']),
      layout,
    ),
    renderTable('OTHER FILES', others, layout),
  ])
}

function renderExamples(lines: readonly string[], layout: HelpLayout): string {
  return renderSection(
    'EXAMPLES',
    lines.map(line => `$ storectl ${line}`),
    layout,
  )
}

function renderTable(title: string, rows: Rows, layout: HelpLayout): string {
  return renderSection(title, renderDefinitions(rows, layout), layout)
}

/** The pages whose rows are the tables that the commands themselves read, by their names. */
export const TABLE_TOPICS = {
  time: renderTimeHelp,
  where: renderWhereHelp,
  causes: renderCausesHelp,
  fields: renderFieldsHelp,
  files: renderFilesHelp,
} as const
