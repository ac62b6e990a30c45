namespace Mux.Connections;

/// <summary>How a connection ended: the reason, a sentence for logs and callers, and the error behind it.</summary>
internal sealed record ConnectionEnd(CloseReason Reason, string Text, Exception? Error = null);
