// The token comes by the form, or behind the # of the address, which browsers send nowhere. The session is a cookie.

const hint = document.getElementById('hint');
const field = document.getElementById('token');

function enter(token) {
  fetch('login', { method: 'POST', body: token }).then(
    ({ ok }) => {
      if (ok) location.reload();
      else hint.textContent = 'This is not the token.';
    },
    () => {
      hint.textContent = 'The gateway does not answer.';
    },
  );
}

document.getElementById('login').addEventListener('submit', (event) => {
  event.preventDefault();
  enter(field.value);
});

const given = location.hash.slice(1);
if (given !== '') {
  // The address that stays in the history holds no token.
  history.replaceState(null, '', location.pathname);
  enter(given);
}
