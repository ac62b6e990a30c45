using System.Globalization;
using System.Threading.Channels;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>How many streams pass a gateway whose options nobody has set.</summary>
public sealed class ManyStreamsTests(ITestOutputHelper output) : GatewayTests
{
    private const int Streams = 1_000;

    [Fact(Timeout = TestLimit)]
    public async Task A_thousand_duplex_streams_of_one_client_pass_a_gateway_with_default_options()
    {
        var (_, _, _, _, proxy) = Start(TransportKind.Tcp);
        using var ended = new CancellationTokenSource();
        var held = Channel.CreateUnbounded<byte[]>();
        var refused = new List<string>();
        var echoed = new Counter("streams whose item has come back");
        var all = Enumerable.Range(0, Streams).Select(_ => TalkAsync()).ToArray();
        await Eventually.Holds(() => echoed.Count + RefusedCount() >= Streams, () => $"{Streams} streams; {echoed.Count} answered, {RefusedCount()} refused");
        await ended.CancelAsync();
        await Task.WhenAll(all).Within("the end of all streams");

        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{refused.Count} of {Streams} duplex streams were refused"));
        foreach (var text in refused.GroupBy(static text => text)) output.WriteLine($"{text.Count()} x {text.Key}");
        Assert.Empty(refused);

        int RefusedCount()
        {
            lock (refused) return refused.Count;
        }

        async Task TalkAsync()
        {
            try
            {
                await foreach (var item in proxy.Talk([], OneThenWait(), ended.Token)) echoed.Add();
            }
            catch (OperationCanceledException)
            {
                // The test has ended the stream.
            }
            catch (MuxException error) when (!ended.IsCancellationRequested)
            {
                lock (refused) refused.Add(error.Message);
            }
            catch (MuxException)
            {
                // Cancelled by the test.
            }
        }

        async IAsyncEnumerable<byte[]> OneThenWait()
        {
            yield return [1];
            await held.Reader.WaitToReadAsync(ended.Token);
        }
    }
}
