namespace Mux.Transports.BeetleX;

/// <summary>The cause of the end of a link, and its error.</summary>
internal sealed record LinkEnd(LinkCloseCause Cause, Exception? Error)
{
    /// <summary><see cref="Link.Close"/> was called.</summary>
    public static LinkEnd Closed { get; } = new(LinkCloseCause.Closed, null);
}
