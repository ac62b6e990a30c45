namespace Mux.Transports;

/// <summary>Receives the events of a link from its transport. Implemented by Mux.</summary>
/// <remarks>
/// <para>The transport promises:</para>
/// <list type="bullet">
/// <item><description><see cref="OnConnected"/> comes first and once, unless connecting fails. <see cref="OnClosed"/> comes last, exactly once for every
/// started link.</description></item>
/// <item><description><see cref="OnConnected"/>, <see cref="OnReceived"/>, <see cref="OnBatchEnd"/> and <see cref="OnClosed"/> of one link never overlap, on
/// whatever threads they run. <see cref="OnWritable"/> may overlap with any of them, but does not begin after <see cref="OnClosed"/>.</description></item>
/// <item><description>No member is called under a lock of the transport, or with the ExecutionContext of the code that started the link or
/// listens.</description></item>
/// </list>
/// <para>Mux promises: no member throws. User code (handlers, continuations) runs inside <see cref="OnReceived"/>, so it may take long. A transport that serves
/// several links on one thread must not let the other links wait for it.</para>
/// </remarks>
public interface ILinkHandler
{
    /// <summary>The link is connected: <see cref="Link.Send"/> may be called.</summary>
    void OnConnected();

    /// <summary>Bytes arrived. They are valid only during the call.</summary>
    /// <param name="bytes">The unconsumed rest of the last delivery, followed by at least one new byte, in one piece.</param>
    /// <returns>The number of bytes consumed, from the front. The transport keeps the rest, at most <see cref="Link.MaxUnconsumedBytes"/>, and delivers it
    /// again with the next bytes. Or <see cref="Link.HandedOver"/>: another thread has continued from here, and this thread leaves the link alone.</returns>
    int OnReceived(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// All available bytes have been delivered: Mux now sends the responses to them together. Always follows one or more <see cref="OnReceived"/> on the thread
    /// that delivered, at once or after deliveries to other links of the same loop, even if the link was closed meanwhile. Also follows a
    /// <see cref="Link.TryJoinBatch"/> that returned true.
    /// </summary>
    void OnBatchEnd();

    /// <summary>A <see cref="Link.Send"/> that accepted fewer bytes than given may be tried again.</summary>
    void OnWritable();

    /// <summary>The link has ended. Its operating system handle is released, or will be released without further calls.</summary>
    /// <param name="cause">Why the link ended.</param>
    /// <param name="error">The underlying error, if there is one.</param>
    void OnClosed(LinkCloseCause cause, Exception? error);
}
