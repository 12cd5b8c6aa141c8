import type {Connection} from '../../auth/profile/connection.js'
import type {FileOutput} from '../../platform/files/atomic-file.js'
import type {Input, ScratchFile} from '../../platform/terminal/input.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Records} from '../../records/records.js'
import type {Provider} from '../../webhook/provider/provider.js'
import type {OpenInbox} from './records.js'

/** Opens what is outside of the process; each part at its first use, and closed at the end of the command. */
export interface Adapters {
  readonly prompts: Prompts
  /** The shop by flag > environment > project file > current profile > the bundled shop. */
  connect(): Promise<Connection>
  /** Inbox, runs and ledger. */
  openRecords(): Promise<Records>
  /** The inbox of the chosen shop; of the bundled shop also what it has received by itself. */
  openInbox(): Promise<OpenInbox>
  /** The payment provider's own API, signed in. */
  openProvider(): Promise<Provider>
  /** A file, or stdin for `-`. */
  openInput(path: string): Promise<Input>
  /** A temporary file for what does not fit into memory. */
  openScratch(): Promise<ScratchFile>
  /** A file that is written as a whole or not at all. @param replaces whether an existing file may be replaced */
  openOutput(path: string, replaces: boolean): Promise<FileOutput>
  /** Closes something at the end of the command, before what was opened earlier. */
  closeAtEnd(close: () => Promise<void> | void): void
}
