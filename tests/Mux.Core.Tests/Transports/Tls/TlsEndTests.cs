using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Core.Tests.Transports.Tls;

public sealed class TlsEndTests
{
    /// <summary>The shutdown of TLS shares its native state with a read that is under way, without a lock: a process crashed of it.</summary>
    [Fact]
    public async Task The_end_of_sending_leaves_the_state_of_TLS_to_whoever_reads()
    {
        var accepted = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var listener = new SocketTransport().Listen(MuxAddress.Parse("mux://127.0.0.1:0"), accepted.SetResult);
        using var peerSocket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peerSocket.ConnectAsync(listener.Address.Host, listener.Address.Port, TestContext.Current.CancellationToken);
        var below = new LinkStream(await accepted.Task.Within("a link"));
        await below.OpenAsync().Within("the connection");
        await using var tls = new WatchedSslStream(below);
        await using var peer = new SslStream(new NetworkStream(peerSocket));
        var options = new SslServerAuthenticationOptions { ServerCertificate = TestAuthority.Shared.Issue(CertificateWish.Server) };
        var accepting = tls.AuthenticateAsServerAsync(options, TestContext.Current.CancellationToken);
        await peer.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = "localhost", CertificateChainPolicy = Trusting() }, TestContext.Current.CancellationToken).Within("the handshake");
        await accepting.Within("the handshake");
        var probe = new LinkProbe("TLS");
        var link = StreamTransport.Connecting((_, _) => new(StreamConnection.Over(tls, below))).CreateLink(MuxAddress.Parse("mux://127.0.0.1:1"));
        probe.Start(link);
        await probe.Connected.WaitAsync();

        link.ShutdownSend();

        Assert.Equal(0, await peer.ReadAsync(new byte[1], TestContext.Current.CancellationToken).AsTask().Within("the end of the stream"));
        await peer.WriteAsync(new byte[] { 1, 2, 3 }, TestContext.Current.CancellationToken);
        await probe.Consumed.ReachAsync(3);
        link.Close();
        await probe.Closed.WaitAsync();
        Assert.Equal(0, tls.Shutdowns);
    }

    private static X509ChainPolicy Trusting()
    {
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(TestAuthority.Shared.Roots);
        return policy;
    }
}
