export function openSockets(url: string): { caller: string; isAccepted: boolean }[];
