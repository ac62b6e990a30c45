using System.Net;
using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>Resolves and connects for one dialed link, once.</summary>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class SocketDialer(MuxAddress address, SocketSetup setup, ConnectSocket connect)
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>Ends <see cref="ConnectAsync"/> soon, whatever it waits for. Never runs its continuation on the calling thread.</summary>
    public void Cancel() => _ = _cancellation.CancelAsync();

    /// <summary>Tries the addresses of the host in turn.</summary>
    /// <returns>A connected socket, prepared for a link.</returns>
    /// <exception cref="IOException">None could be connected; the message names the address and the reason of each try.</exception>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<Socket> ConnectAsync()
    {
        if (address is { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 }) throw new IOException($"Cannot connect to {address}: port 0 is for listeners.");

        EndPoint[] endPoints;
        try
        {
            endPoints = await SocketEndPoints.ResolveAsync(address, _cancellation.Token).ConfigureAwait(false);
        }
        catch (SocketException e)
        {
            throw new IOException($"Cannot connect to {address}: {SocketFailure.Describe(e.SocketErrorCode)}.", e);
        }

        var failures = new (EndPoint EndPoint, SocketException Exception)[endPoints.Length];
        for (int i = 0; i < endPoints.Length; i++)
        {
            try
            {
                return await ConnectToAsync(endPoints[i]).ConfigureAwait(false);
            }
            catch (SocketException e)
            {
                failures[i] = (endPoints[i], e);
            }
            catch (IOException e) // an option, and the same for every address
            {
                throw new IOException($"Cannot connect to {address}: {e.Message}", e);
            }
        }

        throw new IOException($"Cannot connect to {address}: {Describe(failures)}.", failures[^1].Exception);
    }

    private async Task<Socket> ConnectToAsync(EndPoint endPoint)
    {
        var socket = setup.Create(endPoint);
        try
        {
            await connect(socket, endPoint, _cancellation.Token).ConfigureAwait(false);
            SocketSetup.PrepareConnected(socket);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static string Describe((EndPoint EndPoint, SocketException Exception)[] failures)
    {
        if (failures.Length > 1) return string.Join("; ", failures.Select(f => $"{f.EndPoint} {SocketFailure.Describe(f.Exception.SocketErrorCode)}"));
        var (endPoint, exception) = failures[0];
        bool isMissingFile = endPoint is UnixDomainSocketEndPoint && exception.SocketErrorCode is SocketFailure.NoSuchFile;
        return isMissingFile ? "no such socket file" : SocketFailure.Describe(exception.SocketErrorCode);
    }
}
