using Mux.Transports;

namespace Mux.Connections;

/// <summary>How a connection ended: the reason, a sentence for logs and callers, and the error behind it.</summary>
internal sealed record ConnectionEnd(CloseReason Reason, string Text, Exception? Error = null)
{
    /// <summary>The end of a connection whose link ended by itself.</summary>
    public static ConnectionEnd OfLink(LinkCloseCause cause, Exception? error) => cause switch
    {
        LinkCloseCause.ConnectFailed => new(CloseReason.ConnectFailed, error?.Message ?? "The connection could not be established.", error),
        LinkCloseCause.EndOfStream => new(CloseReason.ConnectionLost, "The peer ended the connection without a word."),
        LinkCloseCause.Closed => new(CloseReason.Disposed, "The connection was closed."),
        _ => new(CloseReason.ConnectionLost, error is null ? "The connection was reset." : $"The connection was lost: {error.Message}", error),
    };
}
