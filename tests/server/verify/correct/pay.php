<?php
/** Pays behind a lock of the operating system, which ends with its process; keeps its batches in one file. */
$env = fn (string $name): string => (string) getenv("PAYMENTS_$name");
const FINALS = ['Completed' => 'paid', 'Failed' => 'failed', 'Rejected' => 'failed', 'Returned' => 'returned', 'Cancelled' => 'failed'];
$token = '';

/** One call; null unless a whole answer has arrived. Redirects are not followed. */
function ask(string $method, string $url, array $headers, ?string $body = null): ?array
{
    $received = [];
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method, CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => $headers,
        CURLOPT_TIMEOUT_MS => (int) (getenv('PAYMENTS_TIMEOUT') * 1000), CURLOPT_FOLLOWLOCATION => false,
        CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received) {
            $parts = explode(':', $line, 2);
            if (count($parts) === 2) $received[strtolower($parts[0])] = trim($parts[1]);
            return strlen($line);
        },
    ]);
    if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    $text = curl_exec($curl);
    return $text === false ? null : [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $text];
}

function obtain(callable $env): string
{
    $url = $env('URL') . '/auth-v1/accessToken';
    $nonce = bin2hex(random_bytes(16));
    $text = 'POST&' . rawurlencode(strtolower($url)) . '&&' . rawurlencode($nonce);
    $answer = ask('POST', $url, [
        'X-Application: ' . $env('APPLICATION_ID'), 'X-Organisation-Id: ' . $env('ORGANISATION_ID'),
        'X-Company-Id: ' . $env('COMPANY_ID'), "X-Nonce: $nonce",
        'X-Signature: ' . base64_encode(hash_hmac('sha1', $text, $env('SIGNING_KEY') . '&null', true)), 'Content-Length: 0',
    ]);
    return $answer !== null && $answer[0] === 200 ? (json_decode($answer[2], true)['jwt'] ?? '') : '';
}

/** Repeats a call until an answer tells what happened; null if none does. */
function answered(callable $env, string $method, string $path, array $more = [], ?string $body = null): ?array
{
    global $token;
    for ($attempt = 0, $renewed = false; $attempt < 4; $attempt++) {
        if ($token === '') $token = obtain($env);
        $common = ['x-application: ' . $env('APPLICATION_ID'), 'x-api-key: ' . $env('API_KEY'), "Authorization: Bearer $token"];
        $answer = $token === '' ? null : ask($method, $env('URL') . $path, [...$common, ...$more], $body);
        $pause = 0.6 * 2 ** $attempt * (1 + random_int(0, 500) / 1000);
        if ($answer !== null) {
            [$status, $headers, $text] = $answer;
            if ($status === 401 && !$renewed) {
                $token = '';
                $renewed = true;
                continue;
            }
            $value = json_decode($text, true);
            if ($status < 300 && is_array($value)) return [$status, $value];
            if ($status >= 400 && $status < 500 && !in_array($status, [401, 409, 429]) && is_array($value)) return [$status, []];
            $asked = $headers['retry-after'] ?? '';
            $seconds = ctype_digit($asked) ? (int) $asked : ($asked === '' ? 0 : strtotime($asked) - strtotime($headers['date']));
            $pause = max($pause, min($seconds, 60));
        }
        usleep((int) ($pause * 1e6));
    }
    return null;
}

function store(string $file, array $value): void
{
    file_put_contents("$file.draft", json_encode($value));
    rename("$file.draft", $file);
}

$lock = fopen($env('STATE') . '/lock', 'c');
flock($lock, LOCK_EX);
$file = $env('STATE') . '/batches.json';
$batches = is_file($file) ? json_decode(file_get_contents($file), true) : [];
$invoices = json_decode(file_get_contents($env('INVOICES')), true)['invoices'];
$known = array_merge(...array_column($batches, 'ids'), ...[[]]);
$left = array_values(array_filter($invoices, fn (array $invoice) => !in_array($invoice['id'], $known)));
if ($left !== []) {
    $payments = array_map(fn (array $each) => [
        'instructedAmount' => ['amount' => $each['amount'], 'currency' => $each['currency']],
        'creditor' => ['creditorId' => $each['creditorId'], 'name' => $each['creditorName']],
        'remittanceInformation' => ['reference' => $each['reference']],
    ], $left);
    $key = bin2hex(random_bytes(16));
    $batches[] = ['key' => $key, 'ids' => array_column($left, 'id'), 'outcomes' => null, 'body' => json_encode(['data' => [
        'externalId' => $key, 'subscriptionId' => $env('SUBSCRIPTION_ID'), 'debtor' => ['debtorId' => $env('DEBTOR_ID')],
        'requestedExecutionDateTime' => gmdate('Y-m-d\T00:00:00\Z'), 'payments' => $payments,
    ]])];
    store($file, $batches);
}

/** Returns the outcomes of a batch's invoices. */
$pay = function (array $batch) use ($env): array {
    $all = fn (string $outcome) => array_map(fn () => $outcome, $batch['ids']);
    $headers = ['x-idempotency-key: ' . $batch['key'], 'Content-Type: application/json'];
    $answer = answered($env, 'POST', '/v3/batchpayments', $headers, $batch['body']);
    if ($answer === null) return $all('unknown');
    if ($answer[0] >= 400) return $all('failed');
    $id = $answer[1]['data']['batchId'] ?? '';
    $found = $all('unknown');
    for ($until = microtime(true) + 20, $pause = 1.2; $id !== '' && microtime(true) < $until; $pause = min($pause * 1.5, 5)) {
        usleep((int) ($pause * 1e6));
        $read = answered($env, 'GET', "/v3/batchpayments/$id");
        $payments = $read[1]['data']['payments'] ?? [];
        foreach ($found as $index => $_) $found[$index] = FINALS[$payments[$index]['status'] ?? ''] ?? 'unknown';
        if (!in_array('unknown', $found)) break;
    }
    return $found;
};

$outcomes = [];
foreach ($batches as $index => $batch) {
    $found = $batch['outcomes'] ?? $pay($batch);
    if (!in_array('unknown', $found)) $batches[$index]['outcomes'] = $found;
    store($file, $batches);
    foreach ($batch['ids'] as $place => $id) $outcomes[$id] = $found[$place];
}
$result = array_map(fn (array $invoice) => ['id' => $invoice['id'], 'outcome' => $outcomes[$invoice['id']] ?? 'unknown'], $invoices);
store($env('RESULT'), ['invoices' => $result]);
exit(in_array(false, array_map(fn (array $each) => $each['outcome'] === 'paid', $result)) ? 1 : 0);
