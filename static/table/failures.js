/** Requests that fail: without a response, or with one that is of no use. */

const NO_ANSWER = "No answer from the server. Nothing is lost: try again.";
const SERVER_ERROR = "The server has a problem. Nothing is lost: try again.";

/** @typedef {CustomEvent<HtmxDetail>} RequestEvent */

/** @param {RequestEvent} event */
export const isPost = ({ detail }) => detail.requestConfig?.verb === "post";

/** @param {(text: string, event: RequestEvent) => void} handler called for a POST without a response, or with an unusable one */
export function onFailure(handler) {
  for (const failure of /** @type {const} */ (["sendError", "timeout", "responseError"])) {
    document.addEventListener(`htmx:${failure}`, (event) => {
      if (isPost(event)) handler(failure === "responseError" ? SERVER_ERROR : NO_ANSWER, event);
    });
  }
}
