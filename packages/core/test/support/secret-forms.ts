/*
 * Forms that secrets take in what agents say, call and run. None is a real one: they are put together when the tests run, so
 * that no scanner takes this file for a leak.
 */

/** A text with a secret in it, and the part that must not be shown. */
export type SecretForm = readonly [text: string, secret: string];

const MIXED = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbCdEfGh'.repeat(4);
const mixed = (length: number): string => MIXED.slice(0, length);
const upper = (length: number): string => mixed(length).toUpperCase();
const hex = (length: number): string => '9f3c0a7be41d5826'.repeat(8).slice(0, length);
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const pem = (name: string, body: string): string =>
  `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----`;
/** A key that consists of what it is known by and a random part. */
const key = (beginning: string, random: string): SecretForm => [`${beginning}${random}`, random];
/** Some text with one secret in it. */
const holding = (before: string, secret: string, after = ''): SecretForm => [
  `${before}${secret}${after}`,
  secret,
];
const word = 'hunter2secret';

const KEYS: Readonly<Record<string, SecretForm>> = {
  'OpenAI project': key('sk-proj-', mixed(40)),
  'OpenAI of old': key('sk-', mixed(48)),
  Anthropic: key('sk-ant-api03-', mixed(60)),
  'AWS id': key('AKIA', 'IOSFODNN7EXAMPLE'),
  GitHub: key('ghp_', mixed(36)),
  'GitHub, fine-grained': key('github_pat_', mixed(50)),
  Slack: key(`${'xox'}b-123456789012-1234567890123-`, mixed(24)),
  Google: key('AIza', mixed(35)),
  Stripe: key(`${'sk'}_live_`, mixed(24)),
  npm: holding(`//registry.npmjs.org/:_authToken=${'npm'}_`, mixed(36)),
  'Hugging Face': key('hf_', mixed(34)),
  Telegram: holding('123456789:AAF', mixed(32)),
  Twilio: key('SK', '0123456789abcdef0123456789abcdef'),
  SendGrid: holding(`SG.${mixed(22)}.`, mixed(43)),
  Vault: key('hvs.', mixed(24)),
  DigitalOcean: key('dop_v1_', '0123456789abcdef'.repeat(4)),
  Linear: key('lin_api_', mixed(40)),
  Supabase: key('sbp_', mixed(40)),
  Databricks: key('dapi', '0123456789abcdef0123456789abcdef'),
  Shopify: key('shpat_', '0123456789abcdef0123456789abcdef'),
  Atlassian: key('ATATT3xFfGF0', mixed(60)),
  Doppler: key('dp.pt.', mixed(43)),
  PyPI: key('pypi-AgEIcHlwaS5vcmc', mixed(50)),
  age: key('AGE-SECRET-KEY-1', upper(58)),
  'JSON Web Token': [
    `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890' })}.${mixed(43)}`,
    mixed(43),
  ],
};

const HEADERS: Readonly<Record<string, SecretForm>> = {
  bearer: holding('Authorization: Bearer ', mixed(30)),
  'bearer in hex': holding('bearer ', '0123456789abcdef0123456789abcdef'),
  basic: holding('Authorization: Basic ', 'dXNlcjpwYXNzd29yZDEy'),
  Okta: holding('Authorization: SSWS 00', mixed(40)),
  cookie: holding('Cookie: session=', 'abcDEF123456', '; theme=dark'),
  'set-cookie': holding('Set-Cookie: sid=', 's3cr3tsid99', '; HttpOnly'),
  'x-api-key': holding('X-API-Key: ', '9f8e7d6c5b4a39281706'),
};

const ADDRESSES: Readonly<Record<string, SecretForm>> = {
  https: holding('https://bob:', word, '@example.com/x'),
  PostgreSQL: holding('postgres://app:', 'p%40ssw0rd', '@db:5432/x'),
  MongoDB: holding('mongodb+srv://u:', 'Zx9Pw2', '@cluster0.mongodb.net'),
  AMQP: holding('amqp://guest:', 'gu3st', '@mq/'),
  Redis: holding('redis://:', 'r3disP4ss', '@cache:6379/0'),
  JDBC: holding('jdbc:mysql://db/x?user=root&password=', word),
  'SQL Server': holding('Server=db;Database=x;User Id=sa;Password=', 'P@ssw0rd!', ';'),
  'Azure storage': holding(
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=',
    'abcdefghijklmnopqrstuvwxyz0123456789+/ABCDEFG==',
    ';EndpointSuffix=core.windows.net',
  ),
  'Azure signature': holding(
    'https://x.blob.core.windows.net/c?sv=2022&sig=',
    'abcdefghij%2Fklmnop1234567890%3D',
  ),
  'api_key in a query': holding('https://api.x/v1?api_key=', '9f8e7d6c5b4a39281706', '&q=1'),
  'key in a query': holding('https://maps.x/v1?key=', '9f8e7d6c5b4a39281706'),
  'access token in a query': holding('?access_token=', '9f8e7d6c5b4a39281706'),
  'Discord hook': holding('https://discord.com/api/webhooks/123456789012345678/', mixed(60)),
  'Slack hook': holding(`https://hooks.slack.com/${'services'}/T00000000/B00000000/`, mixed(24)),
};

const NAMED: Readonly<Record<string, SecretForm>> = {
  'AWS in a file': holding('aws_secret_access_key = ', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
  'AWS in code': holding('secretAccessKey: "', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '"'),
  'client secret': holding('client_secret=', 'Gh7Kp2Lm9Qr4'),
  'environment, pass': holding('DB_PASS=', 's3cr3tdbpass'),
  'environment, base': holding('SECRET_KEY_BASE=', '0123456789abcdef0123456789abcdef'),
  pass: holding('{"pass":"', 's3cr3tpass1', '"}'),
  passcode: holding('{"passcode":"', '839201', '"}'),
  German: holding('Passwort: ', 'geheim123'),
  French: holding('mot de passe: ', 'secret123'),
  'auth token': holding('{"authToken":"', 'abcdef0123456789', '"}'),
  'one-time': holding('{"otp":"', '839201', '"}'),
  'encryption key': holding('{"encryptionKey":"', 'q83vEjRWeJCrze8SNFZ4kA==', '"}'),
  'signing key': holding('{"signing_key":"', 'f0e1d2c3b4a596871234', '"}'),
  spoken: holding('the password is ', 'Tr0ub4dor&3'),
  PIN: holding('my PIN is ', '4711'),
  WLAN: holding('WPA passphrase: ', 'correcthorse9'),
  card: holding('card ', '4111 1111 1111 1111', ' cvv 123'),
  sshpass: holding('sshpass -p ', word, ' ssh root@x'),
  curl: holding('curl -u admin:', word, ' https://x'),
  mysql: holding('mysql -uroot -p', word),
  htpasswd: holding('bob:', '$apr1$abc$0123456789abcdefghij/.'),
};

const BLOCKS: Readonly<Record<string, SecretForm>> = {
  RSA: [pem('RSA PRIVATE KEY', 'MIIEpAIBAAKCAQEA7abc'), 'MIIEpAIBAAKCAQEA7abc'],
  OpenSSH: [pem('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjEAAAAA'), 'b3BlbnNzaC1rZXktdjEAAAAA'],
  PGP: [pem('PGP PRIVATE KEY BLOCK', 'lQdGBF'), 'lQdGBF'],
  'service account': [
    JSON.stringify({
      private_key_id: '0123456789abcdef0123',
      private_key: `${pem('PRIVATE KEY', 'MIIEvQ')}\n`,
    }),
    'MIIEvQ',
  ],
};

/** Forms that were made up before the patterns that find them. */
const FURTHER: Readonly<Record<string, SecretForm>> = {
  Airtable: holding(`pat${mixed(14)}.`, hex(64)),
  Notion: key('ntn_', mixed(46)),
  Figma: key('figd_', mixed(40)),
  'Cloudflare, environment': holding('CF_API_TOKEN=', mixed(40)),
  Mailgun: key('key-', hex(32)),
  'Sentry address': holding('https://', hex(32), '@o123456.ingest.sentry.io/4501'),
  'New Relic': key('NRAK-', upper(27)),
  Postman: [`PMAK-${hex(24)}-${hex(34)}`, hex(24)],
  Square: key('sq0csp-', mixed(43)),
  'Heroku, environment': holding('HEROKU_API_KEY=', '7c1e9f02-3b5a-4d68-8e21-0f9a6b4c2d17'),
  Fly: holding('FlyV1 fm2_', mixed(60)),
  Terraform: holding(`${mixed(14)}.atlasv1.`, mixed(60)),
  Docker: holding(
    '{"auths":{"https://index.docker.io/v1/":{"auth":"',
    'Ym9iOmh1bnRlcjJzZWNyZXQ=',
    '"}}}',
  ),
  netrc: holding('machine api.example.com login bob password ', 'swordfish-tango'),
  flag: holding('mongosh --username bob --password ', word, ' --host db'),
  'redis-cli': holding('redis-cli -h cache -a ', 'r3disP4ss', ' ping'),
  openssl: holding('openssl rsa -in key.pem -passin pass:', word),
  presigned: holding('https://b.s3.amazonaws.com/k?X-Amz-Expires=300&X-Amz-Signature=', hex(64)),
  'session token': holding('aws_session_token = FwoGZXIvYXdzE', mixed(60)),
  digest: holding(
    'Authorization: Digest username="bob", realm="x", response="',
    '6629fae49393a05397450978507c4ef1',
    '"',
  ),
  'x-auth-token': holding('X-Auth-Token: ', '9f8e7d6c5b4a39281706'),
  XML: holding('<user>bob</user><password>', word, '</password>'),
  '.NET': holding('<add key="ApiKey" value="', '9f8e7d6c5b4a39281706', '" />'),
  'YAML block': holding('private_key: |\n  ', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', '\n'),
  setter: holding('client.setPassword("', word, '")'),
  otpauth: holding('otpauth://totp/acme:bob?secret=', 'JBSWY3DPEHPK3PXP', '&issuer=acme'),
  Firebase: holding(`AAAA${mixed(7)}:APA91b`, mixed(130)),
  Ethereum: holding('private key: 0x', hex(64)),
  'session cookie': holding('connect.sid=s%3A', mixed(32), `.${mixed(43)}`),
  PowerShell: holding('ConvertTo-SecureString "', word, '" -AsPlainText -Force'),
};

/** All of them, by name. */
export const SECRET_FORMS: readonly (readonly [name: string, ...SecretForm])[] = [
  KEYS,
  HEADERS,
  ADDRESSES,
  NAMED,
  BLOCKS,
  FURTHER,
].flatMap((forms) =>
  Object.entries(forms).map(([name, [text, secret]]) => [name, text, secret] as const),
);

/** The names of the forms whose secret stands in a text, also as JSON writes it. */
export function leakedIn(output: string, forms: typeof SECRET_FORMS = SECRET_FORMS): string[] {
  return forms
    .filter(
      ([, , secret]) =>
        output.includes(secret) || output.includes(JSON.stringify(secret).slice(1, -1)),
    )
    .map(([name]) => name);
}
