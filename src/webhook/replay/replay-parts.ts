import type {ExecutionDeps} from '../../runs/execution.js'
import {openRun} from '../../runs/open-run.js'
import type {ReplayInput} from '../plan/replay-input.js'
import {type ConfirmationDeps, createConfirmation} from './confirm-replay.js'
import {createPreparation, type PreparationDeps} from './prepare-replay.js'
import {createReplayWork, type WorkDeps, type WorkRequest} from './replay-work.js'

/** What all parts of a replay need: the means to send events of the inbox to the chosen shop. */
export type ReplayDeps = ExecutionDeps &
  PreparationDeps &
  ConfirmationDeps &
  WorkDeps & {
    /** The chosen shop in messages: `prod (https://shop.example)`. */
    readonly shopName: string
  }

/** Builds the parts of a replay, or of a joining worker, from their dependencies. */
export function createReplayParts(deps: ReplayDeps) {
  const {target, shopName, shop, isRestored} = deps
  const {profile} = shop
  return {
    preparation: createPreparation(deps),
    confirmation: createConfirmation(deps),
    createWork: (request: WorkRequest) => createReplayWork(request, deps),
    open: ({reason, asked: options, continues, watch}: ReplayInput, isPreview?: boolean) => {
      const asked = {reason, options, total: null, continues: continues ?? null}
      const intent = {kind: 'replay', target, profile: profile.name, watchId: watch?.id, ...asked} as const
      return openRun(intent, deps, isPreview)
    },
    ...{engine: deps, isRestored, shop: {name: shopName, target, profile}},
  }
}
