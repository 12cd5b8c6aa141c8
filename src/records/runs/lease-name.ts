import type {NewRun} from '../../runs/journal/run-store.js'

/** What nobody else does meanwhile who begins a run of the kind and target, or deletes what such a run may want. */
export function leaseName({kind, target}: Pick<NewRun, 'kind' | 'target'>): string {
  return `lease ${kind} ${target}`
}
