using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using Mux.Runtime;

namespace Mux.Transports.BeetleX;

/// <summary>Resolves the address and connects, once, for one dialed link.</summary>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "The source has no timer and no wait handle: " +
    "there is nothing to dispose.")]
internal sealed class Dialer(MuxAddress address)
{
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>
    /// Ends <see cref="ConnectAsync"/> soon; closing its port ends an attempt in progress. Never runs its continuation on the calling thread.
    /// </summary>
    public void Cancel() => _ = _cancellation.CancelAsync();

    /// <summary>Tries the addresses of the host in turn, each with its own port, which is attached to the link meanwhile.</summary>
    /// <returns>The connected port.</returns>
    /// <exception cref="IOException">No address could be connected; the message names the address and the reason of each attempt.</exception>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<ClientPort> ConnectAsync(BeetleXLink link)
    {
        if (address.Port == 0) throw new IOException($"Cannot connect to {address}: port 0 is for listeners.");
        var endPoints = await ResolveAsync().ConfigureAwait(false);
        var failures = new List<(EndPoint EndPoint, Exception Error)>();
        foreach (var endPoint in endPoints)
        {
            _cancellation.Token.ThrowIfCancellationRequested();
            var port = new ClientPort(link, (IPEndPoint)endPoint);
            link.Attach(port);
            if (await port.ConnectAsync().ConfigureAwait(false) is not { } error) return port;
            port.Close();
            failures.Add((endPoint, error));
        }

        throw new IOException($"Cannot connect to {address}: {Describe(failures)}.", failures[^1].Error);
    }

    private static string Describe(List<(EndPoint EndPoint, Exception Error)> failures)
    {
        if (failures.Count == 1) return Describe(failures[0].Error);
        return string.Join("; ", failures.Select(failure => $"{failure.EndPoint} {Describe(failure.Error)}"));
    }

    private static string Describe(Exception error) => error is SocketException socket ? SocketFailure.Describe(socket.SocketErrorCode) : error.Message;

    private async Task<EndPoint[]> ResolveAsync()
    {
        try
        {
            return await SocketEndPoints.ResolveAsync(address, _cancellation.Token).ConfigureAwait(false);
        }
        catch (SocketException e)
        {
            throw new IOException($"Cannot connect to {address}: {SocketFailure.Describe(e.SocketErrorCode)}.", e);
        }
    }
}
