import {urlText} from '../auth/base-url.js'
import {LOCAL} from '../auth/profile.js'
import type {Context} from '../context.js'
import {sayings} from '../http/refusal.js'
import {retryAfterMs} from '../http/retry-after.js'
import type {OrderShop} from '../order/api.js'
import type {SubmitDeps, SubmitTarget} from '../order/submit.js'
import {readErrors} from '../wire/read-errors.js'

/** What submitting orders needs; the shop and the records are opened once the input has been found good. */
export async function openSubmit(context: Context, path: string): Promise<SubmitDeps> {
  const {clock, interruption} = context.world
  return {
    input: await context.openInput(path),
    openScratch: () => context.openScratch(),
    connect: () => submitTarget(context),
    clock,
    random: Math.random,
    stopping: interruption.stopping,
  }
}

async function submitTarget(context: Context): Promise<SubmitTarget> {
  const connection = await context.connect()
  const shop: OrderShop = {
    ...connection,
    saying: ({body}) => sayings(readErrors(body)),
    retryAfterMs: answer => retryAfterMs(answer, context.world.clock.now()),
  }
  const {runs: store} = await context.records()
  const {name, url} = shop.profile
  return {shop, store, machine: await context.machine(), target: name === LOCAL ? LOCAL : urlText(url)}
}
