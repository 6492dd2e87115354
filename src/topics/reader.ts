/** Where the frames for one connection go. A transport makes one for each connection. */
export interface FrameSink {
  /** Sends one whole line, newline included. Never refuses: what the network does not take yet is
   * kept by the transport and counted in `buffered`. The bytes are shared between connections and
   * must not be changed. */
  send(line: Uint8Array): void;
  /** How many bytes were sent and not yet taken by the network. */
  readonly buffered: number;
  /** Ends the connection because it does not take what it is sent (CLOSE_CODES.too_slow). */
  evict(): void;
}

/** Makes a subscription begin: states the snapshot and joins the readers, in one step. Does nothing
 * where the subscription was closed meanwhile. */
export type Begin = () => void;

/** One connection as the topics see it. */
export interface Reader {
  /** Readies a subscription: waits until the topic's value can be stated. The caller answers the
   * request and then calls what it resolves with, so that the reply goes before the snapshot. Opening
   * a topic that is open states it anew. Rejects where the value cannot be had. */
  open(topic: string): Promise<Begin>;
  /** Ends a subscription, or one that is still opening. Of a topic that is not open: nothing. */
  close(topic: string): void;
  /** Ends all of them: the connection is gone. */
  end(): void;
}

/** The topics of a publisher, as a transport sees them. */
export interface TopicHub {
  /** Whether there is anything behind the topic of that full name. */
  offers(topic: string): boolean;
  connect(sink: FrameSink): Reader;
}
