namespace Mux.Transports.BeetleX;

/// <summary>How a link ended.</summary>
internal sealed record LinkEnd(LinkCloseCause Cause, Exception? Error)
{
    /// <summary><see cref="Link.Close"/> was called.</summary>
    public static LinkEnd Closed { get; } = new(LinkCloseCause.Closed, null);
}
