/**
 * Gives a private page that answers a form the address of the form's page. The browser may not keep such an answer, and
 * would show its own error page to a player who goes back to it.
 */

if (document.referrer) history.replaceState(history.state, "", document.referrer + location.hash);
