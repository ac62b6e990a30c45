namespace Mux.Transports;

/// <summary>What happens on a link, pushed by the transport: implemented by Mux.</summary>
/// <remarks>
/// <para>The transport promises: <see cref="OnConnected"/> comes first and once, unless connecting fails; <see cref="OnClosed"/> comes last and exactly once
/// for every started link; <see cref="OnConnected"/>, <see cref="OnReceived"/>, <see cref="OnBatchEnd"/> and <see cref="OnClosed"/> of one link never overlap,
/// on whatever threads they run; <see cref="OnWritable"/> may overlap with any of them, but does not begin after <see cref="OnClosed"/>. No member is called
/// under a lock of the transport, nor with the ExecutionContext of whoever started the link or listens.</para>
/// <para>Mux promises: no member throws. User code (handlers, continuations) runs inside <see cref="OnReceived"/>, so it may take long; whoever owns
/// several links sees to it that the others do not wait.</para>
/// </remarks>
public interface ILinkHandler
{
    /// <summary>The link is up: <see cref="Link.Send"/> may be called.</summary>
    void OnConnected();

    /// <summary>Bytes arrived. Valid during the call only.</summary>
    /// <param name="bytes">The unconsumed tail of the last delivery, followed by at least one new byte, in one piece.</param>
    /// <returns>How many bytes were consumed, from the front. The transport keeps the rest, at most <see cref="Link.MaxUnconsumedBytes"/>, and delivers
    /// it again with what arrives next. Or <see cref="Link.HandedOver"/>: another thread has gone on from here, and this one leaves the link alone.</returns>
    int OnReceived(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// All bytes that were there have been delivered: what they caused is sent now, in one go. Always follows one or more <see cref="OnReceived"/>, at once
    /// or after deliveries to other links of the same loop, on the thread that delivered, also when the link was closed meanwhile; or a
    /// <see cref="Link.TryJoinBatch"/> that was true.
    /// </summary>
    void OnBatchEnd();

    /// <summary>A <see cref="Link.Send"/> that accepted less than given may be tried again.</summary>
    void OnWritable();

    /// <summary>The link is over and its operating system handle released, or about to be without further help.</summary>
    /// <param name="cause">Why.</param>
    /// <param name="error">The error behind it, where there is one.</param>
    void OnClosed(LinkCloseCause cause, Exception? error);
}
