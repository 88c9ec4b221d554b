/** The parts of HTMX that the pages use: https://htmx.org/api and https://htmx.org/events. */

interface HtmxRequest {
  verb: string;
  path: string;
  parameters: Record<string, unknown>;
  triggeringEvent?: SubmitEvent;
}

interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  requestConfig: HtmxRequest;
}

interface HtmxResponse extends HtmxDetail {
  xhr: XMLHttpRequest;
  successful: boolean;
}

interface HtmxSwap extends HtmxResponse {
  serverResponse: string;
  shouldSwap: boolean;
  swapOverride?: string;
}

interface HtmxOptions {
  source?: Element;
  target: string | Element;
  swap: string;
  values?: Record<string, string | undefined>;
}

interface DocumentEventMap {
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:afterRequest": CustomEvent<HtmxResponse>;
  "htmx:beforeSwap": CustomEvent<HtmxSwap>;
  "htmx:afterSwap": CustomEvent<HtmxResponse>;
  "htmx:afterSettle": CustomEvent<HtmxResponse>;
  "htmx:responseError": CustomEvent<HtmxResponse>;
  "htmx:sendError": CustomEvent<HtmxResponse>;
  "htmx:timeout": CustomEvent<HtmxResponse>;
}

interface Window {
  htmx: {
    ajax(verb: string, path: string, options: HtmxOptions): Promise<void>;
    process(element: Element): void;
    swap(target: Element | null, html: string, how: { swapStyle: string }, options: { eventInfo: object }): void;
    trigger(element: Element | null, event: string, detail?: object): void;
  };
}
