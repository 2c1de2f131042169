#!/usr/bin/perl
# A nightly job behind a lock of the operating system: one batch for each creditor, planned in a state file that is replaced
# in one step. After a lost response it stops, and lets the next run send the same again. Writes no result file.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha1_base64 sha256_hex);
use Fcntl qw(:flock);
use HTTP::Tiny;
use IO::Handle;
use JSON::PP;
use POSIX qw(strftime);
use Time::HiRes qw(sleep time);

my $json = JSON::PP->new->utf8->canonical;
my $http = HTTP::Tiny->new(timeout => $ENV{PAYMENTS_TIMEOUT}, max_redirect => 0);
my $state_file = "$ENV{PAYMENTS_STATE}/state.json";
my $token;

sub slurp { my ($path) = @_; open my $in, '<:raw', $path or return; local $/; return <$in> }

sub store {
    my ($state) = @_;
    open my $out, '>:raw', "$state_file.new" or die "state: $!";
    print $out $json->encode($state);
    $out->flush; $out->sync; close $out or die "state: $!";
    rename "$state_file.new", $state_file or die "state: $!";
}

sub quoted { my ($text) = @_; $text =~ s/([^A-Za-z0-9\-._~])/sprintf '%%%02X', ord $1/ge; return $text }
sub random_id { open my $in, '<:raw', '/dev/urandom' or die; read $in, my $bytes, 16; return unpack 'H*', $bytes }

sub obtain_token {
    my $url = "$ENV{PAYMENTS_URL}/auth-v1/accessToken";
    my $nonce = random_id();
    my $base = join '&', 'POST', quoted(lc $url), '', quoted($nonce);
    my $signature = hmac_sha1_base64($base, "$ENV{PAYMENTS_SIGNING_KEY}&null");
    $signature .= '=' while length($signature) % 4;
    my $answer = $http->post($url, { headers => {
        'x-application' => $ENV{PAYMENTS_APPLICATION_ID}, 'x-organisation-id' => $ENV{PAYMENTS_ORGANISATION_ID},
        'x-company-id' => $ENV{PAYMENTS_COMPANY_ID}, 'x-nonce' => $nonce, 'x-signature' => $signature } });
    return $answer->{status} == 200 ? $json->decode($answer->{content})->{jwt} : undef;
}

# The pause that Retry-After asks for, in seconds or until a time by the service's clock.
sub asked_pause {
    my ($headers) = @_;
    my $asked = $headers->{'retry-after'} // '';
    return $asked if $asked =~ /^\d+$/;
    my ($until, $now) = map { $http->_parse_http_date($_ // '') } $asked, $headers->{date};
    return defined $until && defined $now ? $until - $now : 0;
}

# Returns the status and the decoded body of a whole answer of the service; status 599 for none.
sub request {
    my ($method, $path, $body, $key) = @_;
    my $pause = 0.5;
    my $renewed = 0;
    for (1 .. 4) {
        $token //= obtain_token() or do { sleep $pause; $pause *= 2; next };
        my %headers = ('x-application' => $ENV{PAYMENTS_APPLICATION_ID}, 'x-api-key' => $ENV{PAYMENTS_API_KEY},
            'authorization' => "Bearer $token");
        @headers{'content-type', 'x-idempotency-key'} = ('application/json', $key) if defined $key;
        my $answer = $http->request($method, $ENV{PAYMENTS_URL} . $path, { headers => \%headers, ($body ? (content => $body) : ()) });
        my $status = $answer->{status};
        my $value = eval { $json->decode($answer->{content}) };
        return (599) if $status < 500 && $status != 429 && ref $value ne 'HASH';
        return ($status, $value) if $status < 400;
        if ($status == 401 && !$renewed++) { undef $token; next }
        if ($status == 429 || $status == 503) {
            my $asked = asked_pause($answer->{headers});
            sleep($asked > $pause ? $asked : $pause);
            $pause *= 2;
            next;
        }
        return ($status, $value);
    }
    return (599);
}

open my $lock, '>>', "$ENV{PAYMENTS_STATE}/lock" or die "lock: $!";
flock $lock, LOCK_EX;
my $asked = $json->decode(slurp($ENV{PAYMENTS_INVOICES}));
my $state = $json->decode(slurp($state_file) // '{"batches":[],"paidBy":{}}');

my %open;
push @{ $open{$_->{creditorId}} }, $_ for grep { !exists $state->{paidBy}{$_->{id}} } @{ $asked->{invoices} };
for my $creditor (sort keys %open) {
    my @own = @{ $open{$creditor} };
    my $key = random_id();
    my $body = $json->encode({ data => {
        externalId => $key, subscriptionId => $ENV{PAYMENTS_SUBSCRIPTION_ID}, debtor => { debtorId => $ENV{PAYMENTS_DEBTOR_ID} },
        requestedExecutionDateTime => strftime('%Y-%m-%dT00:00:00Z', gmtime),
        payments => [map { {
            instructedAmount => { amount => $_->{amount}, currency => $_->{currency} },
            creditor => { creditorId => $_->{creditorId}, name => $_->{creditorName} },
            remittanceInformation => { reference => $_->{reference} } } } @own] } });
    push @{ $state->{batches} }, { key => $key, body => $body, ids => [map { $_->{id} } @own], status => 'planned' };
    $state->{paidBy}{$_->{id}} = $key for @own;
}
store($state);

my %wanted = map { $state->{paidBy}{$_->{id}} => 1 } @{ $asked->{invoices} };
my @batches = grep { $wanted{$_->{key}} } @{ $state->{batches} };
for my $batch (grep { $_->{status} eq 'planned' } @batches) {
    my ($status, $value) = request('POST', '/v3/batchpayments', $batch->{body}, $batch->{key});
    if ($status < 400) { @$batch{qw(status id)} = ('sent', $value->{data}{batchId}) }
    elsif ($status =~ /^(400|403|404|422)$/) { $batch->{status} = 'refused'; print "Refused: $status\n" }
    else { print "No answer for $batch->{key}: the next run sends it again\n"; exit 1 }
    store($state);
}

my $until = time + 15;
for my $batch (grep { $_->{status} eq 'sent' } @batches) {
    while (time < $until) {
        sleep 1.2;
        my ($status, $value) = request('GET', "/v3/batchpayments/$batch->{id}");
        next if $status != 200;
        my @said = map { $_->{status} // '' } @{ $value->{data}{payments} // [] };
        if (@said && !grep { !/^(Completed|Returned|Failed|Rejected)$/ } @said) {
            $batch->{status} = (grep { $_ ne 'Completed' } @said) ? 'failed' : 'paid';
            store($state);
            last;
        }
    }
}
exit((grep { $_->{status} ne 'paid' } @batches) ? 1 : 0);
