using System.Buffers;

namespace Mux.Transports;

/// <summary>One byte stream to a peer. Implemented by a transport, used by Mux.</summary>
/// <remarks>
/// <para>Mux promises:</para>
/// <list type="bullet">
/// <item><description><see cref="Start"/> is called at most once, before anything else except <see cref="Close"/> and
/// <see cref="TryJoinBatch"/>.</description></item>
/// <item><description><see cref="Send"/> and <see cref="ShutdownSend"/> are called by one thread at a time, only between <see cref="ILinkHandler.OnConnected"/>
/// and <see cref="ILinkHandler.OnClosed"/>, and never after <see cref="ShutdownSend"/>.</description></item>
/// <item><description><see cref="Close"/> may be called on any thread, at any time and repeatedly.</description></item>
/// </list>
/// <para>The transport promises: no member blocks, and no member except <see cref="EndJoinedBatches"/> and <see cref="HandOver"/> calls a handler on the
/// calling thread before it returns.</para>
/// </remarks>
public abstract class Link
{
    /// <summary>
    /// Maximum number of bytes that a handler leaves unconsumed: all but the last byte of the longest frame, 8 + 65,536 - 1 bytes. A receive buffer must hold
    /// them and at least one byte more.
    /// </summary>
    public const int MaxUnconsumedBytes = 8 + 65_536 - 1;

    /// <summary>Maximum number of pieces that <see cref="SendPieces"/> gets: 8.</summary>
    public const int MaxPieces = 8;

    /// <summary>Maximum number of bytes that are joined for one send: two fragments of 32 KiB with their headers.</summary>
    private const int MostJoined = 2 * (8 + (32 * 1024));

    /// <summary>The result of <see cref="ILinkHandler.OnReceived"/> on a thread that <see cref="HandOver"/> has replaced.</summary>
    public const int HandedOver = -1;

    /// <summary>
    /// Gets the peer's address for logs, such as <c>127.0.0.1:50312</c>; known after <see cref="ILinkHandler.OnConnected"/>, empty if there is none.
    /// </summary>
    public abstract string RemoteAddress { get; }

    /// <summary>
    /// Gets the identity of the peer that the transport knows: from its certificate, from the operating system, or from an HTTP request. A dialing side reads
    /// it only if <see cref="ChannelBinding"/> has a value. Read at most once, between <see cref="ILinkHandler.OnConnected"/> and the end of the link. Must not
    /// throw. Null unless overridden: the identity is not known.
    /// </summary>
    public virtual PeerIdentity? Identity => null;

    /// <summary>
    /// Gets a value that identifies the encrypted connection below the link: for TLS, the SHA-256 of the server's certificate. Both ends have the same value,
    /// unless a peer in the middle presents a certificate of its own. Shared keys are bound to it. Read by both sides between
    /// <see cref="ILinkHandler.OnConnected"/> and the end of the link; never throws.
    /// </summary>
    /// <value>32 bytes. Empty unless overridden: the link is not encrypted, or the value is not known.</value>
    public virtual ReadOnlyMemory<byte> ChannelBinding => default;

    /// <summary>
    /// Gets a value indicating whether received bytes wait for delivery, in the transport or in the operating system, or are in an
    /// <see cref="ILinkHandler.OnReceived"/> that has not returned. Read before a silent peer is declared dead, so that a process that was suspended does not
    /// blame its peers. May be called on any thread; false before the link is connected and after it has ended.
    /// </summary>
    public abstract bool HasUndeliveredInput { get; }

    /// <summary>
    /// Gets a value indicating whether a send has failed: from then on all bytes are accepted and dropped, and <see cref="ILinkHandler.OnClosed"/> follows.
    /// Endless senders, such as streams, should stop then. May be called on any thread. False in transports that do not report it.
    /// </summary>
    public virtual bool DropsOutput => false;

    /// <summary>
    /// Gets a value indicating whether <see cref="HandOver"/> is supported. If not, user code that blocks in <see cref="ILinkHandler.OnReceived"/> delays this
    /// link, and all other links of its thread, until the code returns. False unless overridden.
    /// </summary>
    public virtual bool CanHandOver => false;

    /// <summary>
    /// Connects a link of <see cref="ITransport.CreateLink"/>, and begins to deliver. Returns at once: a link that has to
    /// resolve a name or to wait does that on another thread, because dials of other channels wait behind one that
    /// blocks. After <see cref="Close"/>: reports the end.
    /// </summary>
    public abstract void Start(ILinkHandler handler);

    /// <summary>Sends bytes. The caller may reuse its buffer on return: accepted bytes were sent or copied.</summary>
    /// <returns>The number of bytes accepted, from the front. If it is fewer than given, <see cref="ILinkHandler.OnWritable"/> follows once, as soon as another
    /// attempt makes sense, possibly on another thread before this method returns. An earlier attempt may accept nothing and causes no further call. A broken
    /// link accepts everything and reports its end with <see cref="ILinkHandler.OnClosed"/>, which may replace an owed OnWritable.</returns>
    public abstract int Send(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// Sends several pieces as if they were one. Unless overridden, short ones are joined in a copy, so that none of them is a send of its own. A transport
    /// whose system accepts several pieces at once saves the copy and the calls.
    /// </summary>
    /// <param name="pieces">1 to <see cref="MaxPieces"/> pieces, none of them empty, in order.</param>
    /// <returns>As for a single piece: the number of bytes of all pieces accepted, from the front.</returns>
    public virtual int SendPieces(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        int accepted = 0;
        for (int first = 0, next = 0; first < pieces.Length; first = next)
        {
            int length = 0;
            while (next < pieces.Length && (next == first || length + pieces[next].Length <= MostJoined)) length += pieces[next++].Length;
            int sent = next - first == 1 ? Send(pieces[first].Span) : SendJoined(pieces[first..next], length);
            accepted += sent;
            if (sent < length) break;
        }

        return accepted;
    }

    /// <summary>
    /// Lets a thread that has bytes to send, but does not deliver for this link, join the batch of the thread that does. If that thread is delivering, it calls
    /// <see cref="ILinkHandler.OnBatchEnd"/> for this link too when it is done, or at the next <see cref="EndJoinedBatches"/>, and bytes of other threads can
    /// be sent together. User code that occupies that thread delays the call until another thread takes over. False unless overridden.
    /// </summary>
    /// <remarks>
    /// Called on any thread at any time, also before <see cref="Start"/> and after the end, and under a lock that OnBatchEnd takes: an implementation must hold
    /// no lock of its own while it calls OnBatchEnd.
    /// </remarks>
    /// <returns>True if OnBatchEnd follows, unless the link ends before.</returns>
    public virtual bool TryJoinBatch() => false;

    /// <summary>
    /// Calls OnBatchEnd for the other links that have joined the batch, and forgets that this link has joined, because its handler is already sending. Called
    /// inside a long <see cref="ILinkHandler.OnReceived"/> of this link, on its thread and outside user code. Does nothing unless overridden.
    /// </summary>
    public virtual void EndJoinedBatches()
    {
    }

    /// <summary>
    /// Ends the sending direction after all accepted bytes are sent. Receiving continues. If the peer's stream ends first, the link ends when the bytes are
    /// sent, or with <see cref="Close"/>.
    /// </summary>
    public abstract void ShutdownSend();

    /// <summary>
    /// Continues the link on the calling thread because the thread that is in <see cref="ILinkHandler.OnReceived"/> will not return soon. The calling thread
    /// takes over all that the other thread was to do for this link and for others, as if that OnReceived had returned <paramref name="consumed"/>. Unconsumed
    /// bytes are delivered again at once. Returns when the calling thread is no longer needed.
    /// </summary>
    /// <remarks>
    /// This is the only member that delivers on the calling thread. Mux calls it on a separate thread without other work, at most once for a call of OnReceived
    /// and only while that call has not returned. That call finally returns <see cref="HandedOver"/>, perhaps long after <see cref="ILinkHandler.OnClosed"/>;
    /// its thread then no longer uses the link, its buffers and its loop.
    /// </remarks>
    /// <param name="consumed">The number of delivered bytes that are consumed.</param>
    /// <exception cref="NotSupportedException"><see cref="CanHandOver"/> is false.</exception>
    public virtual void HandOver(int consumed) => throw new NotSupportedException();

    /// <summary>
    /// Ends the link at once. Accepted bytes may be lost; the peer sees the end of the stream or a reset. <see cref="ILinkHandler.OnClosed"/> follows if the
    /// link was started. After a call inside a callback, only an owed <see cref="ILinkHandler.OnBatchEnd"/> comes before it.
    /// </summary>
    public abstract void Close();

    private int SendJoined(ReadOnlySpan<ReadOnlyMemory<byte>> pieces, int length)
    {
        var joined = ArrayPool<byte>.Shared.Rent(length);
        int filled = 0;
        foreach (var piece in pieces)
        {
            piece.Span.CopyTo(joined.AsSpan(filled));
            filled += piece.Length;
        }

        int sent = Send(joined.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(joined);
        return sent;
    }
}
