import type {SubmitFlags} from '../../flags/order-flags.js'
import type {OrderSource} from '../draft/read-options.js'
import type {RejectsDeps} from './rejects-file.js'
import type {OrderFiles} from './result-files.js'

/** Opens files to write. */
export interface OutputFiles {
  /** A file that is written as a whole or not at all. @param replaces whether an existing file may be replaced */
  openOutput(
    path: string,
    replaces: boolean,
  ): Promise<{sink: {write: RejectsDeps['write']}; keep(): Promise<void>}>
  openScratch: RejectsDeps['openScratch']
}

/** The requested files of a submit: failed orders, and a line for each order. */
export async function openOrderFiles(
  {rejects, report, force}: Pick<SubmitFlags, 'rejects' | 'report' | 'force'>,
  source: OrderSource,
  files: OutputFiles,
): Promise<OrderFiles> {
  return {
    ...(rejects !== undefined && {rejects: await openRejects(rejects)}),
    ...(report !== undefined && {report: await openReport(report)}),
  }

  async function openRejects(path: string) {
    const {findCommonLayout} = await import('../read/file-layout.js')
    const {Rejects} = await import('./rejects-file.js')
    const layout = await findCommonLayout(source)
    const {sink, keep} = await files.openOutput(path, force)
    const openScratch = () => files.openScratch()
    return {
      content: new Rejects({inputs: source.inputs, layout, openScratch, write: text => sink.write(text)}),
      keep,
    }
  }

  async function openReport(path: string) {
    const {Report} = await import('./report-file.js')
    const {sink, keep} = await files.openOutput(path, force)
    return {content: await Report.open(path, text => sink.write(text)), keep}
  }
}
