import {expect, test} from 'vitest'
import {type Agreement, confirmWrite} from '../../../src/auth/profile/confirm-write.js'

function ask(given: Partial<Agreement> & {isProtected?: boolean; answers?: unknown[]}) {
  const {isProtected = false, answers = [], ...rest} = given
  const asked: string[] = []
  const answer = async <T>(question: string) => {
    asked.push(question)
    return answers.shift() as T
  }
  const done = confirmWrite('send 3 orders to shop', {
    profile: {name: 'shop', protected: isProtected},
    yes: false,
    confirm: undefined,
    prompts: {possible: answers.length > 0, confirm: answer, askText: answer},
    ...rest,
  })
  return {done, asked}
}

test('--yes and --confirm agree without a question', async () => {
  await ask({yes: true}).done
  await ask({confirm: 'shop'}).done
  await ask({confirm: 'shop', isProtected: true}).done
})

test('a terminal is asked', async () => {
  const {done, asked} = ask({answers: [true]})
  await done
  expect(asked).toEqual(['Send 3 orders to shop?'])
  await expect(ask({answers: [false]}).done).rejects.toMatchObject({code: 'stopped.declined', exit: 7})
})

test('where nobody can be asked, --yes is named', async () => {
  await expect(ask({}).done).rejects.toMatchObject({
    code: 'usage.needs_yes',
    exit: 2,
    nextSteps: ['add --yes'],
  })
})

test.each<[Parameters<typeof ask>[0], string]>([
  [{isProtected: true}, 'no terminal'],
  [{isProtected: true, yes: true}, '--yes'],
  [{isProtected: true, confirm: 'other'}, 'the name of another profile'],
  [{isProtected: true, answers: ['other']}, 'another name typed'],
  [{isProtected: true, answers: [''], yes: true}, 'nothing typed'],
  [{confirm: 'other', yes: true}, 'the name of another profile, though it is not protected'],
])('a protected profile is not opened by %j', async given => {
  await expect(ask(given).done).rejects.toMatchObject({code: 'stopped.not_confirmed', exit: 7})
})

test('a protected profile is opened by its name, typed on a terminal', async () => {
  const {done, asked} = ask({isProtected: true, answers: ['shop ']})
  await done
  expect(asked).toEqual(['About to send 3 orders to shop. Type "shop" to confirm:'])
})
