import type {Inbox} from './inbox.js'

/** Whether a capture is handing on an event of a transaction, by what names it. */
export type IsBusy = (transaction: string | null) => Promise<boolean>

/** Asks the inbox what captures are handing on at that moment; those who ask at the same time share a query. */
export function isBusy(inbox: Pick<Inbox, 'busy'>, target: string): IsBusy {
  let answer: Promise<ReadonlySet<string>> | undefined
  const look = async () => {
    await new Promise(resolve => setImmediate(resolve))
    answer = undefined
    return inbox.busy(target)
  }
  return async transaction => {
    if (transaction === null) return false
    answer ??= look()
    return (await answer).has(transaction)
  }
}
