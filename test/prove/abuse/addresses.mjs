/** An address of the loopback network, in 127.network.0.0/16. */
export function addressIn(network, number) {
  return `127.${network}.${(number >> 8) & 255}.${number & 255}`;
}
