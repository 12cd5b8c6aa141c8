/** The tables of `records.db`. Times are milliseconds since 1970, UTC; objects are JSON text. */
export interface RecordsTables {
  run: RunTable
  run_lease: {kind: string; target: string; run_id: string}
  run_plan: RunPlanTable
  run_block: RunBlockTable
  run_worker: RunWorkerTable
  run_control: RunControlTable
  watch: WatchTable
  incident: IncidentTable
  run_record: RunRecordTable
  ledger: LedgerTable
  run_ledger: RunLedgerTable
  /** One row: number and hash of the last row of `run_ledger`. Locked by an append until its commit. */
  run_ledger_head: {id: number; number: number; hash: string}
  webhook_event: WebhookEventTable
  webhook_body: {target: string; id: string; headers: string; body: Uint8Array}
  webhook_source: {target: string; source: string; position: string}
  webhook_resolution: WebhookResolutionTable
  webhook_attempt: WebhookAttemptTable
  /** Who is delivering events of an ordering key, and until when at most. */
  webhook_turn: {target: string; ordering_key: string; holder: string; until_ms: number}
  /** Bodies by the transmission ids under which the provider's signature was verified. */
  webhook_transmission: {target: string; transmission_id: string; id: string; sha256: string}
  /** Every webhook id that the shop had at the provider. */
  webhook_registration: {target: string; webhook_id: string; seen_at_ms: number}
  webhook_token: WebhookTokenTable
  /** One row: the number of the last change of an event. */
  webhook_revision: {last: number}
}

/** Tables with rows of one event, by its target and id. */
export const EVENT_TABLES = [
  ...(['webhook_event', 'webhook_body', 'webhook_attempt'] as const),
  ...(['webhook_resolution', 'webhook_transmission'] as const),
] as const

export interface RunTable {
  id: string
  kind: string
  target: string
  profile: string
  who: string
  host: string
  pid: number
  process_start: string
  reason: string | null
  state: string
  started_at_ms: number
  ended_at_ms: number | null
  heartbeat_at_ms: number
  options: string
  total: number | null
  counts: string
  stop_code: string | null
  stop_reason: string | null
  continues: string | null
  watch_id: string | null
}

/** A process that replays events whenever its shop accepts them; see `WatchRow`. */
export interface WatchTable {
  id: string
  target: string
  profile: string
  who: string
  host: string
  pid: number
  process_start: string
  reason: string | null
  options: string
  started_at_ms: number
  heartbeat_at_ms: number
  ended_at_ms: number | null
  paused: number
  stop_reason: string | null
  asked_by: string | null
  probed_at_ms: number | null
  probe_good: number | null
  probe_answer: string | null
  away_since_ms: number | null
  /** The present run. */
  run_id: string | null
}

/** A problem with an alert; see `Incident`. */
export interface IncidentTable {
  id: string
  target: string
  kind: string
  opened_at_ms: number
  /** When its alert was sent. */
  sent_at_ms: number | null
  /** 0 while it is open. */
  closed_at_ms: number
  closed_sent_at_ms: number | null
  /** Until when a process has claimed the alert, by the clock of leases. */
  claimed_until_ms: number
  facts: string
}

export interface RunPlanTable {
  run_id: string
  position: number
  item: string
  ordering_key: string
  block: number
  /** 1 where an earlier attempt may have been applied. */
  unsure: number
  metadata: string | null
}

/** A block that workers of a run claim; `state` is `open`, `taken` or `done`. */
export interface RunBlockTable {
  run_id: string
  block: number
  state: string
  worker: string | null
  /** How often it was claimed. */
  claims: number
}

export interface RunWorkerTable {
  run_id: string
  worker: string
  who: string
  host: string
  pid: number
  process_start: string
  state: string
  started_at_ms: number
  heartbeat_at_ms: number
  counts: string
  done: number
  failed: number
  /** The last entry of its chain; 0 and empty before the first. */
  sequence: number
  hash: string
  /** JSON: sums of its results, by result and currency. */
  amounts: string
}

/** A person's requests to a run in progress; at most one row for each run. */
export interface RunControlTable {
  run_id: string
  paused: number
  /** A number or `auto`; `null` for the run's initial rate. */
  rate_per_second: string | null
  concurrency: number | null
  asked_by: string
  asked_at_ms: number
}

export interface RunRecordTable {
  run_id: string
  worker: string
  sequence: number
  kind: string
  item: string
  ordering_key: string
  content_hash: string
  attempt: number
  at_ms: number
  result_class: string | null
  result: string | null
  status: number | null
  detail: string | null
  facts: string | null
  hash: string
}

/** The ledger of runs; see `RunLedgerRow`. */
export interface RunLedgerTable {
  number: number
  kind: string
  at_ms: number
  run_id: string | null
  /** A JSON object. */
  content: string
  hash: string
}

/** The result of a delivery; triggers write these, and `number` counts up through all of them. */
export interface WebhookAttemptTable {
  number: number
  target: string
  id: string
  at_ms: number
  status: string
  answer: number | null
  message: string | null
  /** Sender of the call, where weaker than the event's. */
  sender: string | null
}

/** Manual resolutions of events; `number` counts up from 1 for each event. */
export interface WebhookResolutionTable {
  target: string
  id: string
  number: number
  kind: string
  at_ms: number
  who: string
  reason: string | null
  status_before: string
  /** The run that marked it; `null` from earlier versions. */
  run_id: string | null
}

/** The last result of each item at each target, from any run; not part of the ledger of runs. */
export interface LedgerTable {
  kind: string
  target: string
  key: string
  content_hash: string
  result_class: string
  result: string
  status: number | null
  detail: string | null
  attempts: number
  at_ms: number
  run_id: string
  /** JSON, for unknown results only. */
  facts: string | null
}

export interface WebhookEventTable {
  target: string
  id: string
  sha256: string
  size_bytes: number
  type: string
  /** The provider's own time; the time of receipt where the body has none. */
  created_at_ms: number
  received_at_ms: number
  resource_type: string | null
  resource_version: string | null
  /** Key of the transaction: `id:…`, `payment:…`, `order:…`; `null` where there is none. */
  transaction_key: string | null
  /** JSON list: events that share one of them are delivered in order. */
  ordering_keys: string
  /** JSON of its `Traits`. */
  traits: string
  source: string
  status: string
  /** Last HTTP status. */
  answer: number | null
  message: string | null
  attempts: number
  changed_at_ms: number
  /** 1 when another body arrived under the same id. */
  conflict: number
  /** Until when a capture may be delivering it; `null` when none is. */
  in_flight_until_ms: number | null
  /** The process of that capture, from `nameHolder`. */
  in_flight_by: string | null
  /** Result of the check of its sender; `null` where it was not checked. */
  verification: string | null
  verification_reason: string | null
  /** Evidence that it arrived with: `token`, `wrong-token`, `not-needed`, `unverified`. */
  arrived_with: string
  /** SHA-256 of its webhook token, hex; `null` where it came without one. */
  token_digest: string | null
  /** Number of the shop's order, once its payment was looked up. */
  order_number: string | null
  /** From the last diagnosis, with the `changed_at_ms` for which it is valid. */
  cause: string | null
  cause_for_ms: number | null
}

/** Webhook tokens of a shop, present and former, as digests; see `StoredToken`. */
export interface WebhookTokenTable {
  target: string
  digest: string
  kind: string
  from_ms: number
  to_ms: number | null
  leaked_since_ms: number | null
}
