/** Keys that are recognized by how they begin. What follows has a digit in it. */
const BEGINNINGS = [
  'sk-|[srp]k_(?:live|test)_|whsec_', // OpenAI, Anthropic and most who follow them; Stripe
  'AIza|ya29\\.|GOCSPX-|A(?:KIA|SIA|BIA|CCA)', // Google, AWS
  'gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|soat)-|ATATT3|ATCTT3', // GitHub, GitLab, Atlassian
  'xox[a-z]-|xapp-|SG\\.|NRAK-|PMAK-|sq0[a-z]{3}-', // Slack, SendGrid, New Relic, Postman, Square
  'hv[bsr]\\.|dp\\.(?:pt|st|ct|sa|scim|audit)\\.|gl(?:sa|c)_|fm\\d[a-z]?_', // Vault, Doppler, Grafana, Fly
  '(?:nvapi|pypi|xai|pplx|tvly)-|lsv2_(?:pt|sk)_|lin_(?:api|oauth)_|sb_secret_|dckr_(?:pat|oat)_|do[opr]_v1_|shp(?:at|ca|pa|ss)_',
  '(?:hf|gsk|r8|npm|fw|pcsk|jina|phc|phx|sbp|ntn|figd|pul|rnd|rubygems|dop|tfp)_|AGE-SECRET-KEY-1',
  'eyJ', // JSON Web Tokens
].join('|');

/** Keys that are recognized by their whole form. */
const FORMS = [
  'A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}', // AWS, without a digit
  'SK[0-9a-f]{32}|(?:dapi|key-)[0-9a-f]{32}', // Twilio, Databricks, Mailgun
  '(?:bot)?\\d{8,10}:AA[\\w-]{30,}|AAAA[\\w-]{7}:APA91b[\\w-]{60,}', // Telegram, Firebase
  'pat\\w{14}\\.[0-9a-f]{64}|atlasv1\\.[\\w-]{40,}', // Airtable, Terraform
  'EAA[A-Za-z0-9]{60,}', // Facebook, Square
].join('|');

/** The rest of a key: long, or cut off with the text. What is looked at ahead is bounded. */
const DIGIT = '(?=[\\w-]{0,48}\\d)';
const REST = `${DIGIT}(?:[\\w-]{16,}(?:\\.[\\w-]+){0,4}|[\\w-]{4,64}(?=…|\\.\\.\\.|$))`;

/** Matches keys by their form. */
export const KEY: RegExp = new RegExp(
  `(?<![A-Za-z0-9]|[A-Za-z0-9]_)(?:(?:${BEGINNINGS})${REST}|${FORMS})`,
  'g',
);

/** What an issuer calls a key, such as `acme_pat_…`. */
export const NAMED_KEY: RegExp =
  /(?:_(?:pat|pw|tkn|token|key|secret)_|CFPAT-)(?=[A-Za-z0-9]{0,32}\d)[A-Za-z0-9]{20,}/g;

/** Hashes of passwords, as in `htpasswd` and `shadow`. */
export const PASSWORD_HASH: RegExp =
  /(?<![\w$])\$(?:apr1|2[abxy]?|[156y]|argon2\w{1,2}|scrypt)\$[\w./+$=,-]{10,}/g;

/** What may be the number of a payment card. */
export const CARD: RegExp = /(?<![\w./-]|\d )[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4}(?![\w-]| \d)/g;

/** Whether the check digit is right. */
export function isCard(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.at(-1 - i)) * (1 + (i % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
