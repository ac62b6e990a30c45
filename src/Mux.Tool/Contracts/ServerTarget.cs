using Mux.Tool.Serving;

namespace Mux.Tool.Contracts;

/// <summary>A server that a command calls, and how. Immutable.</summary>
/// <param name="Address">Where it is.</param>
/// <param name="Links">Options of its connections.</param>
/// <param name="Timeout">How long connecting and a call may take.</param>
internal sealed record ServerTarget(TargetAddress Address, LinkOptions Links, TimeSpan Timeout)
{
    /// <summary>Range and default of the largest message that a channel takes; the largest of all has JSON.</summary>
    public const int LeastMaxMessage = 16_384, DefaultMaxMessage = 4 << 20;

    /// <summary>Creates a channel, which the caller disposes.</summary>
    /// <param name="maxMessage">Bytes of the largest message that it takes.</param>
    public MuxChannel CreateChannel(int maxMessage = DefaultMaxMessage) => MuxChannel.Create(new MuxChannelOptions
    {
        MaxMessageBytes = maxMessage,
        Address = Address.Text,
        Transport = EngineChoice.MakeTransport(Address.Sample, Links),
        PeerName = "mux",
        Credentials = Links.Credentials,
        AllowPlaintext = Links.AllowPlaintext,
        RequireChallenge = Links.RequireChallenge,
        CallTimeout = Timeout,
        DrainTimeout = TimeSpan.Zero,
    });

    /// <summary>Gets the exit code for a call that failed: the server may be missing, or may refuse.</summary>
    public static int ExitCodeOf(MuxException error) =>
        error.Status is MuxStatus.Unavailable or MuxStatus.Unauthenticated or MuxStatus.DeadlineExceeded
            ? ExitCode.Unreachable : ExitCode.Faulty;
}
