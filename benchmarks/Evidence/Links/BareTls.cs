using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Evidence.Programs;

namespace Evidence.Links;

/// <summary>What TLS of the runtime makes of large messages by itself: 1 MiB back and forth, four under way, without frames, calls or checks.</summary>
internal static class BareTls
{
    private const int MessageBytes = 1024 * 1024;
    private const int UnderWay = 4;
    private const string Subject = "CN=bare TLS";

    /// <summary>The server's part of one connection.</summary>
    public static async Task EchoAsync(Stream stream)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var certificate = new CertificateRequest(Subject, key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1));
        await using var tls = new SslStream(stream);
        await tls.AuthenticateAsServerAsync(certificate);
        await tls.CopyToAsync(tls, 64 * 1024);
    }

    /// <summary>Megabytes per second each way.</summary>
    public static async Task<double> MeasureAsync(Timing timing)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-link", "--link", nameof(LinkKind.BareTls)]);
        await using var tls = new SslStream(await LinkSockets.ConnectAsync("127.0.0.1", server.Port, CancellationToken.None));
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = IPAddress.Loopback.ToString(),
            RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate?.Subject == Subject, // a server that this method has started
        };
        await tls.AuthenticateAsClientAsync(options);
        using var room = new SemaphoreSlim(UnderWay);
        using var end = new CancellationTokenSource();
        long received = 0;
        var writing = WriteAsync();
        var reading = ReadAsync();
        await Task.Delay(TimeSpan.FromSeconds(timing.Warmup));
        long before = Volatile.Read(ref received), start = Stopwatch.GetTimestamp();
        await Task.Delay(TimeSpan.FromSeconds(timing.Seconds));
        double rate = (Volatile.Read(ref received) - before) / Stopwatch.GetElapsedTime(start).TotalSeconds / 1e6;
        await end.CancelAsync();
        await Task.WhenAny(Task.WhenAll(writing, reading), Task.Delay(TimeSpan.FromSeconds(1)));
        return rate;

        async Task WriteAsync()
        {
            var message = new byte[MessageBytes];
            while (!end.IsCancellationRequested)
            {
                await room.WaitAsync(end.Token);
                await tls.WriteAsync(message);
            }
        }

        async Task ReadAsync()
        {
            var buffer = new byte[64 * 1024];
            while (!end.IsCancellationRequested)
            {
                long was = received / MessageBytes;
                Volatile.Write(ref received, received + await tls.ReadAsync(buffer));
                if (received / MessageBytes > was) room.Release((int)((received / MessageBytes) - was));
            }
        }
    }
}
