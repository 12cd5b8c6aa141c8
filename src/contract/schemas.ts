import type {TSchema} from '@sinclair/typebox'
import * as events from './event-rows.js'
import * as orders from './order-rows.js'
import * as payments from './payment-rows.js'
import {PROMISED, type SchemaName} from './promised.js'
import * as replays from './replay-rows.js'
import * as runs from './run-rows.js'
import * as shops from './status-rows.js'

/** What each document may be. */
const VARIANTS: Readonly<Record<SchemaName, readonly TSchema[]>> = {
  'webhook-list': [events.EventRow, events.EventGroupRow],
  'webhook-show': [events.EventRecord, events.AttemptRow],
  'webhook-diagnose': [events.DiagnosisRow, events.CauseGroup],
  'webhook-replay': [replays.ReplayRow, replays.PlanRow, replays.PlanSummary],
  'webhook-resolve': [events.ResolutionRow],
  'order-submit': [orders.OrderRow],
  'order-list': [orders.ShopOrder],
  'customer-search': [orders.CustomerRow, orders.FacetRow, orders.CustomerCount],
  'customer-show': [orders.CustomerRecord],
  'payment-list': [payments.PaymentRow],
  'payment-show': [payments.PaymentRecord],
  'payment-reconcile': [payments.DriftRow, payments.RepairRow],
  'run-list': [runs.ListedRun, runs.ListedWatch, runs.RunGroupRow],
  'run-show': [runs.RunOverview, runs.ListedWatch, runs.RunResultRow],
  'run-verify': [runs.VerifiedRow],
  status: [shops.ShopStatus],
  'replay-plan': [replays.PlanHead, replays.PlanLine, replays.PlanEnd],
  'repair-plan': [payments.RepairPlanHead, payments.PlannedRepair, payments.RepairPlanEnd],
  'run-report': [runs.RunReport],
  'comparison-report': [payments.ComparisonReport],
  alert: [shops.Alert],
  error: [shops.ErrorLine],
}

/** The JSON Schemas that are published, by their names. */
export function buildSchemas(): ReadonlyMap<SchemaName, object> {
  const names = Object.keys(PROMISED) as SchemaName[]
  return new Map(names.map(name => [name, buildSchema(name)]))
}

/**
 * The schema of a name or of a command, whose words are joined by `-`: `run-resume`. A command that prints the rows of
 * several schemas gets one that allows all of them.
 */
export function findSchema(name: string): object | undefined {
  const names = Object.keys(PROMISED) as SchemaName[]
  if (names.includes(name as SchemaName)) return buildSchema(name as SchemaName)
  const isOf = (id: string) => id.replaceAll(':', '-') === name
  const [first, ...others] = names.filter(each => PROMISED[each].commands.some(isOf))
  return first && buildSchema(first, ...others)
}

function buildSchema(...names: [SchemaName, ...SchemaName[]]): object {
  const title = names.map(name => PROMISED[name].about).join('; ')
  const [first, ...others] = names.flatMap(name => VARIANTS[name])
  const head = {$schema: 'http://json-schema.org/draft-07/schema#', title}
  return others.length === 0 ? {...head, ...first} : {...head, anyOf: [first, ...others]}
}
