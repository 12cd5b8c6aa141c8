import type {View} from '../../output/view.js'
import type {Plan} from './plan.js'

export const PLAN: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'verdict'},
    {path: 'id'},
    {path: 'type'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
    {path: 'state'},
    {path: 'reason'},
  ],
}

/** `12 to send, 3 hold:stale, 40 skip:delivered`. */
export function planText({counts, sends}: Plan): string {
  const others = [...counts].filter(([verdict]) => verdict !== 'send').sort()
  return [`${sends} to send`, ...others.map(([verdict, count]) => `${count} ${verdict}`)].join(', ')
}
