/** A change to a source file: the first place that holds `from` holds `to` instead. */
export interface SourceChange {
  /** How the path ends: `src/runs/pool/pool.ts`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/**
 * Bundles the simulation with the sources, and with changes to them.
 *
 * @param name of the bundle
 * @returns its address
 * @throws Error where a change finds nothing to change
 */
export function bundleSimulation(name: string, changes?: readonly SourceChange[]): Promise<string>
