import {expect, test} from 'vitest'
import {type ErrorCode, StorectlError} from '../../src/errors.js'
import {planPreview} from '../../src/runs/bulk-run.js'

const PLAN = {preview: () => 'preview'}

function preview(openEarly?: () => Promise<unknown>) {
  return planPreview({plan: async () => PLAN, ...(openEarly && {openEarly})} as never)
}

const refuse = (code: ErrorCode) => async () => {
  throw new StorectlError(code, 'no')
}

test('a preview takes its early run back, and needs none where another run is under way', async () => {
  const done: string[] = []
  expect(await preview(async () => ({discard: async () => void done.push('discarded')}))).toBe(PLAN)
  expect(done).toEqual(['discarded'])
  expect(await preview(refuse('conflict.lease_held'))).toBe(PLAN)
  expect(await preview()).toBe(PLAN)
})

test('whatever else keeps an early run from beginning ends the preview', async () => {
  await expect(preview(refuse('auth.refused'))).rejects.toMatchObject({code: 'auth.refused'})
  const broken = async () => {
    throw new Error('a bug')
  }
  await expect(preview(broken)).rejects.toThrow('a bug')
})
