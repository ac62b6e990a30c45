using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Tests.EndToEnd;

/// <summary>Ends the TLS of clients with a certificate of its own, which they trust, and passes on every byte to a server: a load balancer, or a server that has the same key and wants to be its client.</summary>
internal sealed class TlsRelay : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _ending = new();
    private readonly X509Certificate2 _certificate;
    private readonly MuxAddress _target;
    private readonly Task _accepting;

    /// <param name="certificate">Shown to clients.</param>
    /// <param name="target">With TLS or without; whatever certificate it shows is taken.</param>
    public TlsRelay(X509Certificate2 certificate, MuxAddress target)
    {
        _certificate = certificate;
        _target = target;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public MuxAddress Address => MuxAddress.Parse($"muxs://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}");

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        _listener.Dispose();
        await _accepting;
        _ending.Dispose();
    }

    private async Task AcceptAsync()
    {
        var relayed = new List<Task>();
        try
        {
            while (true) relayed.Add(RelayAsync(await _listener.AcceptTcpClientAsync(_ending.Token)));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            await Task.WhenAll(relayed);
        }
    }

    private async Task RelayAsync(TcpClient accepted)
    {
        using var dialed = new TcpClient();
        try
        {
            using var client = accepted;
            await using var front = new SslStream(client.GetStream());
            await front.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = _certificate, ApplicationProtocols = [new("mux/1")] }, _ending.Token);
            await dialed.ConnectAsync(IPAddress.Loopback, _target.Port, _ending.Token);
            await using var back = await OpenBackAsync(dialed);
            using var leaving = CancellationTokenSource.CreateLinkedTokenSource(_ending.Token);
            Task[] copies = [front.CopyToAsync(back, leaving.Token), back.CopyToAsync(front, leaving.Token)];
            await Task.WhenAny(copies);
            await leaving.CancelAsync();
            foreach (var copy in copies) await copy.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // One side has left, or the test is over.
        }
    }

    private async Task<Stream> OpenBackAsync(TcpClient dialed)
    {
        if (_target.Scheme != MuxAddress.TlsScheme) return dialed.GetStream();
#pragma warning disable CA5359 // Whoever is in the middle asks nobody who the server is.
        var back = new SslStream(dialed.GetStream(), leaveInnerStreamOpen: false, static (_, _, _, _) => true);
#pragma warning restore CA5359
        await back.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost", ApplicationProtocols = [new("mux/1")] }, _ending.Token);
        return back;
    }
}
