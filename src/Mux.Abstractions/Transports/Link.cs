namespace Mux.Transports;

/// <summary>One connected byte stream, seen from Mux: implemented by a transport.</summary>
/// <remarks>
/// <para>Mux promises: <see cref="Start"/> is called at most once and before anything else but <see cref="Close"/> and <see cref="TryJoinBatch"/>;
/// <see cref="Send"/> and <see cref="ShutdownSend"/> are called by one thread at a time, only between <see cref="ILinkHandler.OnConnected"/> and
/// <see cref="ILinkHandler.OnClosed"/>, and never after <see cref="ShutdownSend"/>; <see cref="Close"/> may come from any thread at any time and
/// repeatedly.</para>
/// <para>The transport promises: no member blocks, and no member but <see cref="EndJoinedBatches"/> and <see cref="HandOver"/> calls a handler on the calling
/// thread before it returns.</para>
/// </remarks>
public abstract class Link
{
    /// <summary>
    /// The largest tail a handler leaves unconsumed: all but the last byte of the largest frame, 8 + 65,536 - 1 bytes. A receive buffer must be
    /// able to hold this and at least one byte more.
    /// </summary>
    public const int MaxUnconsumedBytes = 8 + 65_536 - 1;

    /// <summary>What <see cref="ILinkHandler.OnReceived"/> returns on a thread whose place <see cref="HandOver"/> has taken.</summary>
    public const int HandedOver = -1;

    /// <summary>
    /// The peer's address for logs, such as <c>127.0.0.1:50312</c>; known after <see cref="ILinkHandler.OnConnected"/>, empty where there is none.
    /// </summary>
    public abstract string RemoteAddress { get; }

    /// <summary>
    /// Who the peer is as far as the transport knows: by its certificate, by the operating system, or by the HTTP request behind it. Asked once, by an
    /// accepting side, between <see cref="ILinkHandler.OnConnected"/> and the end; never throws. Null unless overridden: nobody knows.
    /// </summary>
    public virtual PeerIdentity? Identity => null;

    /// <summary>
    /// What both ends know of the encrypted connection below, and nobody between them has: for TLS the SHA-256 of the server's certificate. Shared keys are
    /// bound to it. Asked between <see cref="ILinkHandler.OnConnected"/> and the end, by both sides; never throws.
    /// </summary>
    /// <value>32 bytes. Empty unless overridden: the link is not encrypted, or nobody knows.</value>
    public virtual ReadOnlyMemory<byte> ChannelBinding => default;

    /// <summary>
    /// Whether received bytes wait that were not delivered yet, in the transport or in the operating system, or are in an
    /// <see cref="ILinkHandler.OnReceived"/> that has not returned. Asked before a silent peer is declared dead, so that a process that was stopped for a
    /// while does not blame its peers. May be called from any thread; false before the link is connected and after it is over.
    /// </summary>
    public abstract bool HasUndeliveredInput { get; }

    /// <summary>
    /// Whether a send has failed: from then on all bytes are accepted and dropped, and <see cref="ILinkHandler.OnClosed"/> follows. What is without an end,
    /// such as a stream, should stop then. May be called from any thread. False in transports that do not tell.
    /// </summary>
    public virtual bool DropsOutput => false;

    /// <summary>
    /// Whether <see cref="HandOver"/> works. Without it, user code that blocks in <see cref="ILinkHandler.OnReceived"/> holds up this link, and whatever else
    /// its thread serves, until it returns. False unless overridden.
    /// </summary>
    public virtual bool CanHandOver => false;

    /// <summary>Connects (a link of <see cref="ITransport.CreateLink"/>) and begins to deliver. After <see cref="Close"/>: reports the end.</summary>
    public abstract void Start(ILinkHandler handler);

    /// <summary>Hands over bytes to send. They are the caller's again on return: what is accepted was sent or copied.</summary>
    /// <returns>How many bytes were accepted, from the front. When fewer than given, <see cref="ILinkHandler.OnWritable"/> follows once, as soon as trying
    /// again makes sense, possibly on another thread before this returns; trying before that may accept nothing and adds no further call. A link that is
    /// broken accepts everything and reports its end by <see cref="ILinkHandler.OnClosed"/>, which may take the place of an owed OnWritable.</returns>
    public abstract int Send(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// For a thread that does not deliver for this link and has something to send: asks whether the one that does is at work. If so it calls
    /// <see cref="ILinkHandler.OnBatchEnd"/> for this link as well when it is done, or at the next <see cref="EndJoinedBatches"/>, and what others have to send
    /// meanwhile can go with it. User code that keeps that thread meanwhile delays it until the place is taken over. False unless overridden.
    /// </summary>
    /// <remarks>
    /// Called by any thread at any time, also before <see cref="Start"/> and after the end, and under a lock that OnBatchEnd takes: an implementation holds no
    /// lock of its own while it calls OnBatchEnd.
    /// </remarks>
    /// <returns>Whether OnBatchEnd follows, unless the link is over before.</returns>
    public virtual bool TryJoinBatch() => false;

    /// <summary>
    /// Inside a long <see cref="ILinkHandler.OnReceived"/> of this link, on its thread and outside user code: calls OnBatchEnd for the other links that have
    /// joined meanwhile, and forgets that this one has, whose handler is at it. Does nothing unless overridden.
    /// </summary>
    public virtual void EndJoinedBatches()
    {
    }

    /// <summary>
    /// Ends the sending direction once all accepted bytes are out. Receiving goes on. Should the peer's stream end first, the link
    /// ends when they are out, or with <see cref="Close"/>.
    /// </summary>
    public abstract void ShutdownSend();

    /// <summary>
    /// The thread that is in <see cref="ILinkHandler.OnReceived"/> does not come back soon: goes on with the link, and all that the thread was to do for it and
    /// for others, on the calling thread, as if that call had returned <paramref name="consumed"/>. What is unconsumed is delivered again at once. Returns when
    /// the calling thread is not needed any more.
    /// </summary>
    /// <remarks>
    /// The one member that delivers on the calling thread: Mux calls it on a thread of its own that has nothing else to do, once for a call of OnReceived that
    /// has not returned and never for one that has. That call returns <see cref="HandedOver"/> in the end, perhaps long after
    /// <see cref="ILinkHandler.OnClosed"/>; its thread then leaves the link, its buffers and its loop alone.
    /// </remarks>
    /// <param name="consumed">How many bytes of what was delivered are dealt with.</param>
    /// <exception cref="NotSupportedException"><see cref="CanHandOver"/> is false.</exception>
    public virtual void HandOver(int consumed) => throw new NotSupportedException();

    /// <summary>
    /// Ends the link at once. Accepted bytes may be lost; the peer sees the end of the stream or a reset. <see cref="ILinkHandler.OnClosed"/> follows if the
    /// link was started; a call inside a callback is followed by nothing else but an owed <see cref="ILinkHandler.OnBatchEnd"/>.
    /// </summary>
    public abstract void Close();
}
