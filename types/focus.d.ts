/** Whether an element shows the focus ring: not yet in TypeScript's DOM library. */
interface FocusOptions {
  focusVisible?: boolean;
}
