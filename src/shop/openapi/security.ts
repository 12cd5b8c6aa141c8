import {ADMINISTRATION_CLIENT} from '../../wire/token.js'
import type {Json} from './operation.js'

/** How to sign in, by name. @param origin where the shop is reached */
export function securitySchemes(origin: string): Record<string, Json> {
  const tokenUrl = `${origin}/api/oauth/token`
  return {
    integration: {
      type: 'oauth2',
      description: 'A program: `client id` and `client secret` of `storectl server credentials`.',
      flows: {clientCredentials: {tokenUrl, scopes: {}}},
    },
    administrator: {
      type: 'oauth2',
      description:
        'A person: `user name` and `password` of `storectl server credentials`. ' +
        `The client is \`${ADMINISTRATION_CLIENT}\` and has no secret.`,
      flows: {password: {tokenUrl, scopes: {}}},
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token that you have already.',
    },
    server: {
      type: 'http',
      scheme: 'basic',
      description:
        'For the faults of this server: `client id` and `client secret` as user name and password.',
    },
  }
}
