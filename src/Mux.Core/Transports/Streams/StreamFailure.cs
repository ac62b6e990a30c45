using System.Net.Sockets;
using Mux.Transports.Sockets;

namespace Mux.Transports.Streams;

/// <summary>What the exception of a stream means for a link, and how it is told to people.</summary>
internal static class StreamFailure
{
    /// <summary>Whether the peer or the network broke the connection, or something failed here.</summary>
    public static LinkCloseCause CauseOf(Exception error) => SocketErrorOf(error) switch
    {
        { } code => SocketFailure.CauseOf(code),
        null => error is IOException ? LinkCloseCause.Reset : LinkCloseCause.Failed,
    };

    /// <summary>Whether it says only that the peer does not read any more, which is no fault of a peer that has ended its stream in order.</summary>
    public static bool IsPeersEnd(Exception error) => SocketErrorOf(error) is SocketError.Shutdown;

    /// <summary>The error a link reports.</summary>
    public static IOException ToException(string remoteAddress, Exception error)
    {
        if (SocketErrorOf(error) is { } code) return SocketFailure.ToException(remoteAddress, code);
        var where = remoteAddress.Length > 0 ? $"Connection with {remoteAddress}" : "Connection";
        return new IOException($"{where}: {error.Message}", error);
    }

    /// <summary>What went wrong, from the outermost to the innermost exception: of TLS and HTTP the inner ones have the reason.</summary>
    public static string Describe(Exception error)
    {
        var texts = new List<string>();
        for (Exception? e = error; e is not null; e = e.InnerException) texts.Add(e.Message.TrimEnd('.'));
        return string.Join(": ", texts.Distinct(StringComparer.Ordinal));
    }

    /// <summary>Ends something of a stream or pipe, whose owner may have ended it already.</summary>
    public static void Attempt(Action end)
    {
        try
        {
            end();
        }
        catch (Exception)
        {
            // What cannot end in order is broken, and the link is over.
        }
    }

    private static SocketError? SocketErrorOf(Exception error) => (error as SocketException ?? error.InnerException as SocketException)?.SocketErrorCode;
}
