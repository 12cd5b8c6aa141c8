/** The client that each way of signing in wants, so that nobody has to know it. */
const CLIENTS = {administrator: {clientId: 'administration'}}

/** What is shown unfolded: the tags with the operations that most people come for. */
const UNFOLDED = ['Access token', 'Customers', 'Fulfillment orders', 'Payment webhook']

function unfold(ui) {
  if (window.location.hash !== '') return
  for (const tag of UNFOLDED) ui.layoutActions.show(['operations-tag', tag], true)
}

/** Fills in the client of a way of signing in before anybody types. */
function knownClients() {
  return {
    wrapComponents: {
      oauth2:
        (Original, {React}) =>
        props => {
          const getConfigs = () => CLIENTS[props.name] ?? {}
          return React.createElement(Original, {
            ...props,
            authSelectors: {...props.authSelectors, getConfigs},
          })
        },
    },
  }
}

const ui = window.SwaggerUIBundle({
  url: '/viewer/openapi3.json',
  dom_id: '#page',
  plugins: [knownClients],
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  onComplete: () => unfold(ui),
})
