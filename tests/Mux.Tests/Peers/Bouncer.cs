using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Sends calls back to where they came from, or does what the test says.</summary>
internal sealed class Bouncer : IBounce
{
    /// <summary>Replaces what <see cref="Bounce"/> does.</summary>
    public Func<int, MuxPeer, CancellationToken, ValueTask<int>>? OnBounce { get; set; }

    /// <summary>Replaces what <see cref="Echo"/> does.</summary>
    public Func<byte[], ValueTask<byte[]>>? OnEcho { get; set; }

    /// <summary>The side at the other end of the last call.</summary>
    public MuxPeer? LastCaller { get; private set; }

    public Counter Bounced { get; } = new("bounces");

    /// <summary>What was told.</summary>
    public ConcurrentQueue<string> Told { get; } = [];

    public Counter Tellings { get; } = new("tellings");

    public ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        LastCaller = options!.Caller!;
        Bounced.Add();
        return OnBounce is { } own ? own(timesLeft, LastCaller, cancellationToken) : BounceOn(timesLeft, LastCaller, cancellationToken);
    }

    /// <summary>Calls back as long as any time is left.</summary>
    public static async ValueTask<int> BounceOn(int timesLeft, MuxPeer caller, CancellationToken cancellationToken) =>
        timesLeft == 0 ? 0 : 1 + await caller.Get<IBounce>().Bounce(timesLeft - 1, cancellationToken: cancellationToken);

    public ValueTask Tell(string text)
    {
        Told.Enqueue(text);
        Tellings.Add();
        return default;
    }

    public async IAsyncEnumerable<int> Count(int last, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int i = 1; i <= last; i++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return i;
        }

        await Task.CompletedTask;
    }

    public ValueTask<byte[]> Echo(byte[] bytes, CancellationToken cancellationToken) => OnEcho is { } own ? own(bytes) : new(bytes);

    public ValueTask<double> TimeLeft(MuxCallOptions? options) => new(options!.Timeout?.TotalMilliseconds ?? -1);
}
