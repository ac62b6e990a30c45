namespace Mux.Tests.Peers;

/// <summary>Served by both sides: goes to and fro between them.</summary>
[MuxService("test.Bounce")]
public interface IBounce
{
    /// <returns>How often it went over from here.</returns>
    ValueTask<int> Bounce(int timesLeft, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    [MuxMethod(OneWay = true)]
    ValueTask Tell(string text);

    IAsyncEnumerable<int> Count(int last, CancellationToken cancellationToken = default);

    /// <returns>The same bytes.</returns>
    ValueTask<byte[]> Echo(byte[] bytes, CancellationToken cancellationToken = default);

    /// <returns>The milliseconds that are left of its time; -1 without a deadline.</returns>
    ValueTask<double> TimeLeft(MuxCallOptions? options = null);
}
