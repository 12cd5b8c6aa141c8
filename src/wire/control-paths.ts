/** Where commands talk to a bundled server about itself. No shop has such a path, and no fault strikes it. */
export const CONTROL_PATH = '/_storectl'

/** The faults of a running server. */
export const FAULTS_PATH = `${CONTROL_PATH}/faults`

/** What a running server says of itself. */
export const STATUS_PATH = `${CONTROL_PATH}/status`

/** Has the provider of a running server call webhooks. */
export const TRIGGER_PATH = `${CONTROL_PATH}/trigger`
