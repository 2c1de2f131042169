import { describe, expect, it } from 'vitest';
import { masked } from '#app/client/mask.ts';
import { maskedAt, placesOf } from '#contract/masking.ts';
import { isSecretName } from '#contract/secretNames.ts';
import { secretsIn } from '#contract/secretShapes.ts';

const mask = (text: string) => maskedAt(text, placesOf(text, secretsIn), '#');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pem = (kind: string, end = '\n') =>
  [
    '-----BEGIN ',
    kind,
    '-----',
    end,
    'MIIEvQIBADANBgkqh',
    end,
    'kiG9w0BAQEFAASC+/=',
    end,
    '-----END ',
    kind,
    '-----',
  ].join('');

describe('The masking of a text', () => {
  it.each([
    ['bearer', 'failed: Bearer s3cr3t-value, retry', 'failed: Bearer #, retry'],
    ['bearer in lower case', 'bearer abcdefghijklmnopqrst', 'bearer #'],
    ['bearer in a form', 'a=1&h=Bearer+ab12cd34', 'a=1&h=Bearer+#'],
    ['basic', `sent Basic ${base64('user:pa55')} to us`, 'sent Basic # to us'],
    ['a header', 'Authorization: Bearer x\r\nAccept: */*', 'Authorization: Bearer #\r\nAccept: */*'],
    [
      'a header of one’s own',
      "curl -H 'X-Auth: abc' -H 'X-Session-Id: def'",
      "curl -H 'X-Auth: #' -H 'X-Session-Id: #'",
    ],
    ['a subscription key', 'Ocp-Apim-Subscription-Key: 0a1b', 'Ocp-Apim-Subscription-Key: #'],
    ['a private key', `key ${pem('PRIVATE KEY')} end`, 'key # end'],
    ['a private key of its kind', pem('RSA PRIVATE KEY'), '#'],
    ['a private key in JSON', JSON.stringify({ pem: pem('EC PRIVATE KEY') }), '{"pem":"#"}'],
    ['a private key that is cut', pem('ENCRYPTED PRIVATE KEY').slice(0, 60), '#'],
    ['a web key', `{"kty":"OKP","d":"${'aB-_'.repeat(11)}"}`, '{"kty":"OKP","d":"#"}'],
    ['an address', 'postgres://user:p%40ss@host/db', 'postgres://user:#@host/db'],
    ['an address with a mark', 'redis://:p@ss@host', 'redis://:#@host'],
    ['an address with a key as its user', 'https://0123456789abcdef@host/', 'https://#@host/'],
    ['a user of curl', "curl -u joe:hunter2 -H 'a: b:c'", "curl -u joe:# -H 'a: b:c'"],
    ['cookies', 'Cookie: session=abc; more=1\nHost: x', 'Cookie: #\nHost: x'],
    ['cookies that are set', 'Set-Cookie: __Host-s=abc; Path=/', 'Set-Cookie: #'],
    ['cookies in a list', '{"set-cookie":["a=1","b=\\"2\\""],"x":["y"]}', '{"set-cookie":["#","#"],"x":["y"]}'],
    ['an assertion', 'client_assertion=opaque&scope=a', 'client_assertion=#&scope=a'],
    ['an assertion as a member', '{"clientAssertion": "a.b"}', '{"clientAssertion": "#"}'],
    ['numbers as members', '{"pin": 1234, "otp":"987654", "n": 12}', '{"pin": "#", "otp":"#", "n": 12}'],
    ['numbers as members in JSON', '{"a":"{\\"smsOtp\\":1234}"}', '{"a":"{\\"smsOtp\\":#}"}'],
    ['numbers in a message', 'The OTP 123456 has expired; PIN: 4321', 'The OTP # has expired; PIN: #'],
    ['a value in a command', "API_SECRET=hunter2 run --password='a b'", "API_SECRET=# run --password='# b'"],
    ['a value in a sentence', 'Wrong password: hunter2 for joe', 'Wrong password: # for joe'],
    ['an object as Python prints it', "{'password': 'x y', 'b': 'c'}", "{'password': '#', 'b': 'c'}"],
    ['an element', '<a><userPassword>x &amp; y</userPassword></a>', '<a><userPassword>#</userPassword></a>'],
    ['keys that carry their kind', `whsec_${'a1'.repeat(12)} sk_live_${'b2'.repeat(12)}`, '# #'],
    ['bearer before a quotation mark', '{"note":"Bearer a1b2c3"}', '{"note":"Bearer #"}'],
    ['bearer of a word before a quotation mark', '{"note":"Bearer xyz"}', '{"note":"Bearer #"}'],
    ['bearer before a single quotation mark', "{'note': 'Bearer xyz'}", "{'note': 'Bearer #'}"],
    ['bearer in JSON in JSON', '{"a":"{\\"note\\":\\"DPoP xyz\\"}"}', '{"a":"{\\"note\\":\\"DPoP #\\"}"}'],
    ['a header in an option', '["-H","X: bearer xyz"]', '["-H","X: bearer #"]'],
    ['DPoP with padding', '{"note":"DPoP a1b2c3=="}', '{"note":"DPoP #"}'],
    ['Token and ApiKey', '["Token a1b2c3","ApiKey d4e5f6"]', '["Token #","ApiKey #"]'],
    ['a quoted token', 'Unknown token "a1b2c3".', 'Unknown token "#".'],
    ['a pair', '[["password","hunter"],["a","b"]]', '[["password","#"],["a","b"]]'],
    ['a pair with a number', '["pin", 1234]', '["pin", "#"]'],
    ['a pair in JSON in JSON', '{"a":"[[\\"x-api-key\\",\\"abc\\"]]"}', '{"a":"[[\\"x-api-key\\",\\"#\\"]]"}'],
    ['a pair as Python prints it', "[('password', 'hunter'), ('a', 'b')]", "[('password', '#'), ('a', 'b')]"],
    ['a pair with a list', '[["x-api-key",["abc"]]]', '[["x-api-key",["#"]]]'],
    ['raw headers', '["Host","x","X-Api-Key","abc","Accept","y"]', '["Host","x","X-Api-Key","#","Accept","y"]'],
    ['a named value', '[{"name":"password","value":"hunter"}]', '[{"name":"password","value":"#"}]'],
    ['a named value, reversed', '{"value":"hunter","key":"password"}', '{"value":"#","key":"password"}'],
    [
      'a named value after more',
      '{"key":"x-api-key","type":"text","value":"abc"}',
      '{"key":"x-api-key","type":"text","value":"#"}',
    ],
    ['a named number', '{"id":"pin","value":1234}', '{"id":"pin","value":"#"}'],
    [
      'a named value as JavaScript prints it',
      "{ name: 'x-api-key', value: 'abc' }",
      "{ name: 'x-api-key', value: '#' }",
    ],
    [
      'a named value as Python prints it',
      "{'name': 'x-api-key', 'value': 'abc'}",
      "{'name': 'x-api-key', 'value': '#'}",
    ],
    [
      'a named value in JSON in JSON',
      '{"a":"{\\"name\\":\\"pin\\",\\"value\\":\\"abc\\"}"}',
      '{"a":"{\\"name\\":\\"pin\\",\\"value\\":\\"#\\"}"}',
    ],
    ['a named value in a form', 'name=companySigningKey&value=abc&x=1', 'name=companySigningKey&value=#&x=1'],
    ['a named value in a form, reversed', 'value=abc&a=b&name=password', 'value=#&a=b&name=password'],
    ['a part of a form', 'form-data; name="password"\r\n\r\nhunter\r\n--', 'form-data; name="password"\r\n\r\n#\r\n--'],
    [
      'an object of a secret',
      '{"credentials":{"value":"abc","n":[1]},"b":"c"}',
      '{"credentials":{"value":"#","n":["#"]},"b":"c"}',
    ],
    [
      'an object of a secret in JSON',
      '{"a":"{\\"secret\\":{\\"data\\":\\"abc\\"}}"}',
      '{"a":"{\\"secret\\":{\\"data\\":\\"#\\"}}"}',
    ],
    ['an object of a secret that is cut', '{"credentials":{"a":{"b":"abc', '{"credentials":{"a":{"b":"#'],
    ['a value in other quotes', `{'password': "it's"}`, `{'password': "#"}`],
    ['a bare name', '{ password: "hunter", a: "b" }', '{ password: "#", a: "b" }'],
    ['an arrow', '{"password" => "hunter"}', '{"password" => "#"}'],
    ['a list under a header’s name', '{"x-api-key":["abc","def"]}', '{"x-api-key":["#","#"]}'],
    [
      'names in the plural',
      '{"passwords":["a","b"],"cookies":{"c":"d"}}',
      '{"passwords":["#","#"],"cookies":{"c":"#"}}',
    ],
    ['a name with a blank in a form', 'api+key=abc&b=c', 'api+key=#&b=c'],
    ['a name with a blank in a query', '?api%20key=abc&b=c', '?api%20key=#&b=c'],
    [
      'a part of a form whose name has a blank, in several lines',
      'form-data; name="api key"\r\n\r\nabc\r\ndef\r\n--x--',
      'form-data; name="api key"\r\n\r\n#\r\n--x--',
    ],
    [
      'a part of a form whose name comes last',
      'form-data; filename="a"; name="password"\r\n\r\nabc\r\n--x--',
      'form-data; filename="a"; name="password"\r\n\r\n#\r\n--x--',
    ],
    [
      'a part of a form in single quotes or encoded',
      "form-data; name='pin'\n\nabc\n--x\nform-data; name*=UTF-8''pin\n\nabc\n--x",
      "form-data; name='pin'\n\n#\n--x\nform-data; name*=UTF-8''pin\n\n#\n--x",
    ],
    [
      'credentials of any scheme',
      'Authorization: AWS4-HMAC-SHA256 Credential=A/b, Signature=fe5f\r\nAccept: */*',
      'Authorization: # #\r\nAccept: */*',
    ],
    [
      'credentials in parameters',
      'Authorization: Digest username="joe", response="ab"\na',
      'Authorization: Digest #\na',
    ],
    ['credentials of a scheme in a command', "curl -H 'Authorization: GNAP a1b2' x", "curl -H 'Authorization: # #' x"],
    ['an element of characters', '<password><![CDATA[ab]]></password>', '<password><![CDATA[#]]></password>'],
    ['an option', 'run --api-key abc --user joe', 'run --api-key # --user joe'],
    ['a key in a sentence', 'API key a1b2c3 is unknown', 'API key # is unknown'],
    ['a password in a sentence', 'The password was "hunter2".', 'The password was "#".'],
    ['a functions key', 'x-functions-key: abc', 'x-functions-key: #'],
    ['quoted-printable', 'password=3Dhunter2 x', 'password=# x'],
    ['a word split unseen', '{"pass\u200bword":"a\u200bb"}', '{"pass\u200bword":"#"}'],
    ['Base64 in lines', `x ${base64('{"password":"hunter2-hunter2-hunter2"}').replace(/.{20}/g, '$&\n')} y`, 'x # y'],
    [
      'hexadecimal digits apart',
      `x ${Buffer.from('password=hunter2')
        .toString('hex')
        .replace(/..(?=.)/g, '$&:')} y`,
      'x # y',
    ],
    ['a block of YAML', 'signing_key: |\n  a1b2\n\n  c3d4\nname: Ada', 'signing_key: |\n#name: Ada'],
    ['a folded block in a list', '- secret: >-  \n    a1b2\n  name: Ada\n', '- secret: >-  \n#  name: Ada\n'],
    ['a block within JSON', '{"text":"password: |2\\n  a1b2\\nname: Ada"}', '{"text":"password: |2\\n#name: Ada"}'],
    ['YAML with a tag', 'apiKey: !!str a1b2c3d4', 'apiKey: !!str #'],
    ['a block in one line', 'signing_key: |  a1b2c3', 'signing_key: |  #'],
    ['a member with data', '{"key":"signingKey","data":"a1b2"}', '{"key":"signingKey","data":"#"}'],
    ['data before its name', '{"data":"a1b2","key":"signingKey"}', '{"data":"#","key":"signingKey"}'],
    [
      'data that holds a value',
      '{"key":"x-api-key","data":{"value":"a1b2"}}',
      '{"key":"x-api-key","data":{"value":"#"}}',
    ],
    [
      'a field of a page',
      '<input name="token" type="hidden" value="a1b2">',
      '<input name="token" type="hidden" value="#">',
    ],
    ['a value before its name', "<input value='a1b2' name='csrf_token'/>", "<input value='#' name='csrf_token'/>"],
    ['attributes without quotes', '<input value=a1b2 name=token>', '<input value=# name=token>'],
    ['the content of a page', '<meta name="csrf-token" content="a1b2">', '<meta name="csrf-token" content="#">'],
    ['an entry of XML', '<add key="ApiKey" value="a1b2"/>', '<add key="ApiKey" value="#"/>'],
    [
      'an element with attributes',
      '<p:token type="x"><![CDATA[a1b2]]></p:token>',
      '<p:token type="x"><![CDATA[#]]></p:token>',
    ],
    [
      'an element that an attribute names',
      '<param name="signingKey">a1b2</param>',
      '<param name="signingKey">#</param>',
    ],
    ['a value after blanks', 'API_KEY = a1b2c3\n:api_key => "a1b2c3"', 'API_KEY = #\n:api_key => "#"'],
    ['a query in a query', '/a?to=https%3A%2F%2Fb%3Ftoken%3Da1b2', '/a?to=https%3A%2F%2Fb%3Ftoken%3D#'],
    ['a password without a scheme', '//user:a1b2@host/path', '//user:#@host/path'],
    [
      'an encrypted private key',
      `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\na1b2\n-----END EC PRIVATE KEY----- x`,
      '# x',
    ],
    [
      'a key of SSH',
      '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\na1b2\n---- END SSH2 ENCRYPTED PRIVATE KEY ---- x',
      '# x',
    ],
    [
      'keys that carry their kind',
      `glpat-${'a1'.repeat(10)} sk-proj-${'a1'.repeat(10)} npm_${'a1'.repeat(18)}`,
      '# # #',
    ],
    [
      'a field of several names',
      '<input id="f" type=x name="token" class="a b" value="c d">',
      '<input id="f" type=x name="token" class="a b" value="#">',
    ],
    [
      'a field among others',
      '<input value="1" name="a"><input value="2" name="pin" id="b">',
      '<input value="1" name="a"><input value="#" name="pin" id="b">',
    ],
    [
      'named values in turn',
      'name=a&value=1&name=pin&value=2&name=b&value=3',
      'name=a&value=1&name=pin&value=#&name=b&value=3',
    ],
    ['a segment of a path', '/reset-password/a1b2c3d4?x=1', '/reset-password/#?x=1'],
    [
      'a segment within an address',
      'https://a.example/v1/access_token/a1b2c3/info',
      'https://a.example/v1/access_token/#/info',
    ],
    ['a segment in a query', '/invite?next=%2Ftoken%2Fa1b2c3', '/invite?next=%2Ftoken%2F#'],
    ['a column', 'id,name,api_key\n1,Ada,a b\n2,"Bob, jr","c ""d"""', 'id,name,api_key\n1,Ada,#\n2,"Bob, jr","#"'],
    ['a column by semicolons', '\ufeffpassword;id\r\nhunter;1\r\n', '\ufeffpassword;id\r\n#;1\r\n'],
    ['a column by tabs', 'id\tsigning key\n1\thunter', 'id\tsigning key\n1\t#'],
    [
      'a column of lines in a cell',
      'key,note\na,"b\nc"\n\ntoken,note\n"a\nb",c',
      'key,note\na,"b\nc"\n\ntoken,note\n"#",c',
    ],
    ['an aligned column', 'NAME    TOKEN   AGE\nAda     hunter  3d', 'NAME    TOKEN   AGE\nAda     #  3d'],
    ['a column of Markdown', '| id | secret |\n| --- | --- |\n| 1 | ab |', '| id | secret |\n| --- | --- |\n| 1 | # |'],
    ['a column within JSON', '{"file":"name,token\\nAda,ab\\n"}', '{"file":"name,token\\nAda,#\\n"}'],
    [
      'a column of lists',
      '{"columns":["id","n","pin"],"rows":[[1,"Ada",12]]}',
      '{"columns":["id","n","pin"],"rows":[[1,"Ada","#"]]}',
    ],
    [
      'a column of SQL',
      "INSERT INTO t (id, token) VALUES (1, 'ab'), (2, 'c')",
      "INSERT INTO t (id, token) VALUES (1, '#'), (2, '#')",
    ],
    [
      'a column of a page',
      '<tr><th>Id</th><th>Token</th></tr>\n<tr><td>1</td><td>ab</td></tr>',
      '<tr><th>Id</th><th>Token</th></tr>\n<tr><td>1</td><td>#</td></tr>',
    ],
    [
      'a key of PuTTY',
      'Public-Lines: 1\nAAAA\nPrivate-Lines: 2\nBBBB\nCC==\nPrivate-MAC: 12',
      'Public-Lines: 1\nAAAA\nPrivate-Lines: 2\n#\nPrivate-MAC: 12',
    ],
    ['an element after its name', '<dt>Password</dt><dd>hunter</dd>', '<dt>Password</dt><dd>#</dd>'],
    ['an entry of a property list', '<key>apiKey</key>\n<string>ab</string>', '<key>apiKey</key>\n<string>#</string>'],
    [
      'a named text',
      '[{"id":"pin","text":"ab"},{"id":"a","text":"b"}]',
      '[{"id":"pin","text":"#"},{"id":"a","text":"b"}]',
    ],
    ['a text before its name', '{"text":"ab","name":"apiKey"}', '{"text":"#","name":"apiKey"}'],
    [
      'a value by two words',
      '{"fieldName":"password","stringValue":"ab"}',
      '{"fieldName":"password","stringValue":"#"}',
    ],
    ['a named value of YAML', 'env:\n  - name: API_KEY\n    value: ab\n', 'env:\n  - name: API_KEY\n    value: #\n'],
    ['a name below another one', 'db:\n  password: a1b2c3\n', 'db:\n  password: #\n'],
    ['a name after another one', 'error: password: a1b2c3; x=token=a1b2', 'error: password: #; x=token=#'],
    [
      'names in bold and cursive',
      '**Password:** a1b2 *token*: a1b2 `pin`: a1b2',
      '**Password:** # *token*: # `pin`: #',
    ],
    ['a name in tags', '<p>API key: <b>a1b2</b></p><b>Token:</b> a1b2', '<p>API key: <b>#</b></p><b>Token:</b> #'],
    ['characters with a sign', '<pin>\n <![CDATA[a<b]c>d]]>\n</pin>', '<pin>\n <![CDATA[#]]>\n</pin>'],
    ['an element after a comment', '<pin><!-- x -->ab</pin>', '<pin><!-- x -->#</pin>'],
    ['an element within another one', '<pin><value>ab</value></pin>', '<pin><value>#</value></pin>'],
    [
      'a named element within',
      '<param name="pin"><value>ab</value></param>',
      '<param name="pin"><value>#</value></param>',
    ],
    [
      'a named value in a list',
      '<l name="a"><value id="pin">ab</value></l>',
      '<l name="a"><value id="pin">#</value></l>',
    ],
    ['a secret that begins with value', '<a><value-token>ab</value-token></a>', '<a><value-token>#</value-token></a>'],
    ['an element within characters', '<a><![CDATA[<pin>ab</pin>]]></a>', '<a><![CDATA[<pin>#</pin>]]></a>'],
    [
      'a secret that is told',
      'Unknown client_secret "a1b2c3"; password but got a1b2c3',
      'Unknown client_secret "#"; password but got #',
    ],
    ['a name in bold of underscores', '__API key__: a1b2', '__API key__: #'],
    ['values after other signs', 'password := "a1b2c3"; token -> a1b2c3', 'password := "#"; token -> #'],
    ['an escaped sign', 'db.password\\=a1b2', 'db.password\\=#'],
    ['a named value of YAML, reversed', '- value: "a b"\n  name: API_KEY', '- value: "#"\n  name: API_KEY'],
  ])('finds a secret by its shape or its name: %s', (_, text, shown) => {
    expect(mask(text)).toBe(shown);
    expect(mask(shown), 'masked once more').toBe(shown);
  });

  it.each([
    'The bearer token has expired. Basic authentication is required.',
    'WWW-Authenticate: Bearer realm="api", error_description="expired"',
    '{"pinned":"yes","authorise":"now","cookiePolicy":"none","spin":3,"shipping":"x","hotpot":1}',
    '{"tokenType":"Bearer","subscriptionId":"0a1b2c3d","apiKeyId":"k1","secretIsSet":true,"authUrl":"https://a.example/x"}',
    '{"status":"AwaitingAuthorisation","authorisation":"pending","idempotencyKey":"0123456789abcdef0123"}',
    'idempotency-key: 0123456789abcdef0123456789abcdef\nx-fapi-interaction-id: 0123456789',
    'https://user@host/path?pinned=1&authorised=2&cookiePolicy=3 mailto:a@b.example',
    'token: expired; password: required (at least 8 characters); secret: must be 32 bytes',
    'WWW-Authenticate: DPoP error_description="a_long_word_of_letters", algs="ES256"',
    '{"a":["accessToken","acceptLanguage","x"],"required":["password","token"],"kind":"password","b":"c"}',
    '{"token":{"type":"opaque","label":"Token"},"name":"Ada","value":"12.50","id":"1","content":"x"}',
    '{"message":"Token expired","title":"Token is missing","key":"acceptLanguage","value":"en"}',
    'name=acceptLanguage&value=en X-Idempotency-Key: a1b2c3d4',
    'Authorization: missing or unknown. The secret is needed; password rules: 8 characters; API key v2 of 2026-11-28',
    'run --token --verbose --password-file /a; <input name="amount" value="12">; {"tokens":12}; a b=c&d e=f',
    '{"name":"Orchard Supplies Ltd","data":"x","key":"acceptLanguage","current":"en"}',
    'name: |\n  Orchard Supplies\nkey: |\n  text\ntokens: |\n  12',
    '<input name="reference" value="INV-1"> <meta name="user" content="Ada"> <payment key="1" value="10.00"/>',
    'const token = answer.token; token = read(); token => token; password = required; tokens = 3 of 5',
    'Send the token, please.\nIf not, we retry.',
    'No password, no entry\nSo what, he said',
    'f(token, secret, key)\ng(1, 2, 3); const [token, name] = [read(), 1]; fn(password, name) {\n call(a, b)',
    '/auth/token/introspect /reset-password/confirm /v3/token?x=1 /api/tokens/0a1b2c3d at x (/a/cookie/index.js:12:3)',
    '{"field":"password","message":"Give at least 8 characters.","code":"too_small"}',
    '{"id":"token","text":"You need a token."} {"type":"token","name":"Ada"}',
    '<tr><th>Token</th><th>Name</th></tr> Private-Lines: none',
    'tokens, words\n12, 13\nname, key\nAda, b',
    '{"cursor":"eyJpZCI6MTIzNDU2Nzg5MH0"} eyJpZCI6MTIzNDU2Nzg5MH0. Then newobjectfactory.create.it',
    '/v3/accounts/Zx9Qw7Er5Ty3Ui1OpZx9Qw7Er5Ty3Ui1Op/files/a1b2c3d4e5f6',
    '<param name="reference">INV-1</param> <name type="x">Ada</name>',
    'see //host:8080/a and a // comment: text',
    pem('CERTIFICATE'),
    pem('PUBLIC KEY'),
    'https://host:8080/a@b and 12:30@noon',
    'Payment 123456 of 2026-11-26 to GB33 BUKB 2020 1555 5555 55, pin the page',
    'x=41&y=3Dz and a1b2c3d4e5f60718293a4b5c6d7e8f90',
  ])('keeps ordinary text: %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  const jwt = [
    base64('{"alg":"HS256","typ":"JWT"}'),
    base64('{"sub":"12345678901"}'),
    'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ]
    .join('.')
    .replaceAll('=', '');
  it.each([
    ['as it is', jwt],
    ['percent-encoded twice', jwt.replaceAll('.', '%252E')],
    ['as in JSON', jwt.replaceAll('.', '\\u002e')],
    ['as in a pattern', jwt.replaceAll('.', '\\.')],
    ['as in Markdown', jwt.replaceAll('.', '\\.').replaceAll('_', '\\_')],
    ['as in HTML', jwt.replaceAll('.', '&#46;')],
    ['defused', jwt.replaceAll('.', '[.]')],
    ['in parts', jwt.replaceAll('.', '" + "." + "')],
    ['a line for each part', jwt.replaceAll('.', '.\n')],
    ['in lines', jwt.replace(/.{40}/g, '$&\n')],
    [
      'with a blank in its header',
      `${base64('{ "alg":"none"}').replaceAll('=', '')}.${jwt.split('.').slice(1).join('.')}`,
    ],
  ])('finds a JWT %s', (_, text) => {
    expect(mask(`a ${text} b`)).toBe('a # b');
  });

  const size = 1_000_000;
  it.each([
    ['JSON', '{"name":"Zoë Ltd","amount":"12.50","token":"abc","id":12345},'],
    ['brackets', '{["'],
    ['names and values', '"name":"pin","value":"'],
    ['values and names', '"value":"a","name":"b",'],
    ['values', '\\"value\\":\\"'],
    ['objects of secrets', '"secret":{'],
    ['lists of names', '["x-api-key",'],
    ['pairs with lists', '["token",['],
    ['names in a list', '"token","a",'],
    ['single quotes', "'token': '"],
    ['bare names', '{token: "'],
    ['a form of names', 'name=a&'],
    ['a form of values', 'value=a&'],
    ['parts of a form', 'form-data; name="a"\n'],
    ['credentials', 'authorization: a b="'],
    ['parts of one line', 'form-data; name=a\n\n'],
    ['lines of a part', 'form-data; name="pin"\n\na\nb'],
    ['options', '--a '],
    ['passwords', 'password '],
    ['quoted schemes', '"bearer a'],
    ['backslashes', '\\'],
    ['backslashes and quotes', '\\"password\\":\\"'],
    ['openings of strings', '"password":"'],
    ['one value', 'a'],
    ['beginnings of JWTs', 'eyJ'],
    ['dots between beginnings', `${'eyJ'.repeat(5)}.`],
    ['beginnings of addresses', '://:'],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'],
    ['schemes', 'bearer basic '],
    ['names', 'password='],
    ['colons', 'token:'],
    ['percent signs', '%25'],
    ['lines of Base64', 'QUJDREVGR0hJSktMTU5P\n'],
    ['hexadecimal digits', '70617373'],
    ['quoted-printable', '=3D'],
    ['nothing of any width', '\u200b'],
    ['elements', '<a>'],
    ['elements with attributes', '<a name="token" '],
    ['attributes', ' name=token value=a'],
    ['blocks', 'token: |\n '],
    ['lines of a block', 'token: |\n  a\n\n'],
    ['blanks of a block', `token: |${' '.repeat(50)}\n`],
    ['statements', 'token = '],
    ['beginnings of keys of SSH', '---- BEGIN PRIVATE KEY -'],
    ['queries in queries', '?a=b'],
    ['cookies', 'cookie: a'],
    ['rows', 'token,a\n'],
    ['quotes in rows', 'token,"a\n'],
    ['lists of cells', '["token","a","b"],'],
    ['openings of lists', '[token,'],
    ['rows of a page', '<tr><td>token</td>'],
    ['segments', '/token/a1b2c3'],
    ['named lines', 'name: token\nvalue: a\n'],
    ['parts of tokens', 'eyJhbGciOiJI. '],
    ['names of names', 'token: a: '],
    ['characters', '<pin><![CDATA['],
    ['marks', 'token**:** '],
  ])('takes time in proportion to its length: %s', { timeout: 30_000 }, (_, part) => {
    const timed = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length));
      const started = performance.now();
      mask(text);
      return performance.now() - started;
    };
    timed(10_000);
    expect(timed(size)).toBeLessThan(5000);
  });
});

describe('The name of a secret', () => {
  it('is known in any notation (threat 2.33)', () => {
    for (const name of [
      'access_token',
      'X-Session-Id',
      'smsOtp',
      'otp_code',
      'userPIN',
      'Proxy-Authorization',
      'db.password',
      'x-functions-key',
      'X-Partner-Key',
    ])
      expect(isSecretName(name), name).toBe(true);
    for (const name of [
      'pinned',
      'opinion',
      'authorise',
      'cookiePolicy',
      'publicKey',
      'x-idempotency-key',
      'tokens',
      'subscriptionId',
      'key',
      '',
    ])
      expect(isSecretName(name), name).toBe(false);
  });

  it('hides numbers and lists of a value on the page, and keeps other members (threat 2.33)', () => {
    expect(masked({ pin: 1234, cookie: ['a', 2], token: { type: 'x' }, otp: '', pinned: 5 })).toEqual({
      pin: '••••••••',
      cookie: ['••••••••', '••••••••'],
      token: { type: 'x' },
      otp: '',
      pinned: 5,
    });
    expect(masked({ credentials: { value: 'a' }, list: [['password', 'b']], of: { name: 'pin', value: 3 } })).toEqual({
      credentials: { value: '••••••••' },
      list: [['password', '••••••••']],
      of: { name: 'pin', value: '••••••••' },
    });
  });
});
