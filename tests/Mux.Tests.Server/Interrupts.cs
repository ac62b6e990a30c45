using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Tests.Contracts;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;
using Mux.Transports.Tls;

namespace Mux.Tests.Server;

/// <summary>A server and its clients in one process, whose code leaves an interrupt on each thread that it runs on: old libraries do so.</summary>
internal static class Interrupts
{
    private const int Rounds = 300;
    private const int CallsPerRound = 48;

    /// <summary>Writes how many calls were answered, and how many connections the client opened.</summary>
    public static async Task RunAsync(string engine)
    {
        var transport = Transport(engine);
        int opened = 0;
        await using var server = new MuxServer(new MuxServerOptions { Address = engine == "tls" ? "muxs://127.0.0.1:0" : "mux://127.0.0.1:0", Transport = transport })
            .AddService<IDesk>(new InterruptingDesk());
        server.Start();
        await using var channel = MuxChannel.Create(new MuxChannelOptions
        {
            Address = server.Address.ToString(),
            Transport = transport,
            MaxConnections = 1,
            OnOpened = (_, _) =>
            {
                Interlocked.Increment(ref opened);
                Thread.CurrentThread.Interrupt();
                return default;
            },
        });
        var desk = channel.CreateProxy<IDesk>();
        int answered = 0;
        for (int round = 0; round < Rounds; round++) await Task.WhenAll(Enumerable.Range(0, CallsPerRound).Select(AskAsync));
        UseUp();
        await Console.Out.WriteLineAsync($"{answered} of {Rounds * CallsPerRound} answered over {opened}");
        await Console.In.ReadLineAsync();

        async Task AskAsync(int id)
        {
            await Task.Yield(); // to the pool, where calls begin at once and wait for the locks of each other
            UseUp();
            var question = new Question { Id = id };
            var call = (id % 3) switch
            {
                0 => desk.AskInline(question),
                1 => desk.AskOnPool(question),
                _ => desk.AskPlainly(question),
            };
            var answer = await call;
            if (answer.Id == id) Interlocked.Increment(ref answered);
            Thread.CurrentThread.Interrupt();
        }
    }

    /// <summary>The program's own waits are not to be struck.</summary>
    private static void UseUp()
    {
        try
        {
            Thread.CurrentThread.Join(0);
        }
        catch (ThreadInterruptedException)
        {
        }
    }

    private static ITransport Transport(string engine)
    {
        var portable = new SocketTransport(new SocketTransportOptions(), NullLogger.Instance, TimeProvider.System);
        if (engine != "tls") return engine switch { "portable" => portable, "memory" => new InMemoryTransport(), _ => new EpollTransport() };
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        var request = new CertificateRequest("CN=interrupts", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        var certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return new TlsTransport(
            new TlsServerOptions { Certificate = certificate }, new TlsClientOptions { TrustedRoots = [certificate] }, portable, NullLogger.Instance, TimeProvider.System);
    }

    private sealed class InterruptingDesk : IDesk
    {
        public ValueTask<Answer> AskPlainly(Question question)
        {
            Thread.CurrentThread.Interrupt();
            return new(new Answer { Id = question.Id });
        }

        public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

        public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
    }
}
