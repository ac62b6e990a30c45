namespace Mux.Sessions.Incoming;

/// <summary>How the answer of a call ended.</summary>
/// <param name="Status">The status that the call ended with.</param>
/// <param name="Unsent">What the peer does not accept; null if all was sent, or the call ended for another reason.</param>
internal readonly record struct ReplyEnd(MuxStatus Status, UnsentPart? Unsent = null)
{
    public static implicit operator ReplyEnd(MuxStatus status) => new(status);
}
