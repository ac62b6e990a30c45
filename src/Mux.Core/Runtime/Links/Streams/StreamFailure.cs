using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Maps exceptions of streams to close causes and messages.</summary>
internal static class StreamFailure
{
    /// <summary>Tells whether the peer or the network broke the connection, or something failed on this side.</summary>
    public static LinkCloseCause CauseOf(Exception error) => SocketErrorOf(error) switch
    {
        { } code => SocketFailure.CauseOf(code),
        null => error is IOException ? LinkCloseCause.Reset : LinkCloseCause.Failed,
    };

    /// <summary>True if the error says only that the peer no longer reads, which is fine for a peer that has ended its stream gracefully.</summary>
    public static bool IsPeersEnd(Exception error) => SocketErrorOf(error) is SocketError.Shutdown;

    /// <summary>Creates the error that a link reports.</summary>
    public static IOException ToException(string remoteAddress, Exception error)
    {
        if (SocketErrorOf(error) is { } code) return SocketFailure.ToException(remoteAddress, code);
        var where = remoteAddress.Length > 0 ? $"Connection with {remoteAddress}" : "Connection";
        return new IOException($"{where}: {error.Message}", error);
    }

    /// <summary>Joins the messages from the outermost to the innermost exception: for TLS and HTTP, the inner ones hold the reason.</summary>
    public static string Describe(Exception error)
    {
        var texts = new List<string>();
        for (Exception? e = error; e is not null; e = e.InnerException) texts.Add(e.Message.TrimEnd('.'));
        return string.Join(": ", texts.Distinct(StringComparer.Ordinal));
    }

    /// <summary>Ends a part of a stream or pipe and ignores failures: its owner may have ended it already.</summary>
    public static void Attempt(Action end)
    {
        try
        {
            end();
        }
        catch (Exception)
        {
            // A part that cannot end gracefully is broken, and the link is over.
        }
    }

    private static SocketError? SocketErrorOf(Exception error) => (error as SocketException ?? error.InnerException as SocketException)?.SocketErrorCode;
}
