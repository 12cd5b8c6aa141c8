/** Prefix of the bundled server's control routes. No real shop has such a path, and no fault affects it. */
export const CONTROL_PATH = '/_storectl'

/** The faults of a running server. */
export const FAULTS_PATH = `${CONTROL_PATH}/faults`

/** The status of a running server. */
export const STATUS_PATH = `${CONTROL_PATH}/status`

/** Makes the bundled provider call webhooks. */
export const TRIGGER_PATH = `${CONTROL_PATH}/trigger`
