// Where the identity provider sends the user back to: takes the token out of the address, hands it to the server and
// returns to the page, which learns the outcome from its own address.
const answer = new URLSearchParams(location.hash.slice(1));
history.replaceState(null, '', location.pathname);

async function store(token, state) {
  const response = await fetch('/api/usertoken', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, state }),
  });
  const body = await response.json();
  return response.ok ? { outcome: 'ok' } : { outcome: body.code, interaction: body.interactionId };
}

const error = answer.get('error');
const { outcome, interaction } = error
  ? { outcome: error }
  : await store(answer.get('access_token') ?? '', answer.get('state') ?? '').catch(() => ({
      outcome: 'console-unreachable',
    }));
function returnTo() {
  try {
    return sessionStorage.getItem('login.returnTo') ?? '/getnetworkaccesstoken';
  } catch {
    return '/getnetworkaccesstoken'; // the browser stores nothing for this site
  }
}

const destination = new URL(returnTo(), location.origin);
destination.searchParams.set('outcome', outcome);
if (interaction) destination.searchParams.set('interaction', interaction);
location.replace(destination.origin === location.origin ? destination : '/');
