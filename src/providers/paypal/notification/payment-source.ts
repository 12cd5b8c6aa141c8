import {
  BOOL,
  declareBy,
  defineNested,
  defineTexts,
  LIST,
  type MemberRule,
  markNullable,
  NULLABLE,
  STRING,
  type Struct,
} from './member-rules.js'

const SOURCE = 'Swag\\PayPal\\RestApi\\V2\\Api\\Order\\PaymentSource'
const COMMON = 'Swag\\PayPal\\RestApi\\V2\\Api\\Common'

const CONTEXT = defineNested(`${SOURCE}\\Common\\ExperienceContext`, {
  ...defineTexts('locale brandName logoUrl shippingPreference landingPage userAction returnUrl cancelUrl'),
  paymentMethodPreference: STRING,
  customerServiceInstructions: LIST,
})

const ADDRESS = defineNested(`${COMMON}\\Address`, {
  ...defineTexts('countryCode'),
  ...defineTexts('addressLine1 addressLine2 adminArea1 adminArea2 postalCode', NULLABLE),
})
const NAME = defineNested(`${COMMON}\\Name`, defineTexts('givenName surname'))
const PHONE = defineNested(`${COMMON}\\PhoneNumber`, defineTexts('nationalNumber countryCode'))

/** Members of every payment method, and of nearly every one. */
const BASE = declareBy(`${SOURCE}\\AbstractPaymentSource`, {experienceContext: CONTEXT})
const NAMED = {
  ...BASE,
  ...declareBy(`${SOURCE}\\AbstractAPMPaymentSource`, defineTexts('name countryCode')),
}

/** Payment methods with no more than the payer's name and country. */
const PLAIN = 'bancontact eps giropay ideal multibanco myBank sofort trustly'
/** Those with an e-mail address as well. */
const MAILED = 'blik oxxo p24'

function createPlainSources(names: string, extra: Struct['members']): Struct['members'] {
  return Object.fromEntries(
    names.split(' ').map(name => {
      const className = `${SOURCE}\\${name.charAt(0).toUpperCase()}${name.slice(1)}`
      return [name, defineNested(className, {...extra, ...NAMED})]
    }),
  )
}

/**
 * The payment source of a payment: one member for each method.
 *
 * @param shared structures that are used elsewhere as well
 * @see protocol.md §4.3
 */
export function createPaymentSource({customer, links}: {customer: MemberRule; links: MemberRule}): Struct {
  const attributes = defineNested(`${SOURCE}\\Common\\Attributes`, {
    vault: defineNested(`${SOURCE}\\Common\\Attributes\\Vault`, {
      ...defineTexts('storeInVault usageType status confirmPaymentToken'),
      id: NULLABLE,
      permitMultiplePaymentTokens: BOOL,
      customer,
      links,
    }),
    customer,
    verification: defineNested(`${SOURCE}\\Common\\Attributes\\Verification`, {method: STRING}),
  })
  const card = createCard(attributes)
  return {
    className: SOURCE,
    members: markNullable({
      ...createPlainSources(PLAIN, {}),
      ...createPlainSources(MAILED, {email: STRING}),
      ...createInvoiceSources(),
      ...createWalletSources(attributes),
      card,
      googlePay: defineNested(`${SOURCE}\\GooglePay`, {card, attributes, ...BASE}),
      applePay: defineNested(`${SOURCE}\\ApplePay`, {
        ...NAMED,
        card,
        attributes,
      }),
      token: defineNested(`${SOURCE}\\Token`, {
        ...defineTexts('id type'),
        storedPaymentSource: defineNested(
          `${SOURCE}\\Token\\StoredPaymentSource`,
          defineTexts('paymentInitiator paymentType usage'),
        ),
        ...BASE,
      }),
    }),
  }
}

function createCard(attributes: MemberRule): MemberRule {
  return defineNested(`${SOURCE}\\Card`, {
    ...defineTexts('lastDigits brand type vaultId'),
    ...NAMED,
    billingAddress: ADDRESS,
    authenticationResult: defineNested(`${SOURCE}\\Card\\AuthenticationResult`, {
      liabilityShift: STRING,
      threeDSecure: defineNested(`${SOURCE}\\Card\\AuthenticationResult\\ThreeDSecure`, {
        enrollmentStatus: STRING,
        authenticationStatus: NULLABLE,
      }),
    }),
    attributes,
    storedCredential: defineNested(
      `${SOURCE}\\Card\\StoredCredential`,
      defineTexts('paymentInitiator paymentType usage previousNetworkTransactionReference'),
    ),
  })
}

function createInvoiceSources(): Struct['members'] {
  return {
    payUponInvoice: defineNested(`${SOURCE}\\PayUponInvoice`, {
      ...defineTexts('email birthDate paymentReference'),
      name: NAME,
      phone: PHONE,
      billingAddress: ADDRESS,
      depositBankDetails: defineNested(
        `${SOURCE}\\PayUponInvoice\\DepositBankDetails`,
        defineTexts('bic bankName iban accountHolderName'),
      ),
      ...BASE,
    }),
    boletobancario: defineNested(`${SOURCE}\\Boletobancario`, {
      ...defineTexts('email expiryDate'),
      ...NAMED,
      taxInfo: defineNested(`${SOURCE}\\Boletobancario\\TaxInfo`, defineTexts('taxId taxIdType')),
      billingAddress: ADDRESS,
    }),
  }
}

function createWalletSources(attributes: MemberRule): Struct['members'] {
  const shared = {name: NAME, phoneNumber: PHONE, address: ADDRESS, attributes, ...BASE}
  return {
    paypal: defineNested(`${SOURCE}\\Paypal`, {
      ...defineTexts('emailAddress accountId billingAgreementId vaultId birthDate phoneType'),
      ...shared,
    }),
    venmo: defineNested(`${SOURCE}\\Venmo`, {
      ...defineTexts('emailAddress accountId vaultId userName'),
      ...shared,
    }),
  }
}
