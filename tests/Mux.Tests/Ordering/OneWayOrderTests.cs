using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>One-way calls of a key run in the order in which they were made, on however many connections and while these come and go.</summary>
public sealed class OneWayOrderTests : EndToEndTests
{
    private const int Keys = 8;

    private readonly AccountNotes _notes = new();

    /// <param name="fewest">The fewest connections.</param>
    /// <param name="most">The most connections.</param>
    /// <param name="ages">True if the server ends each connection after a while.</param>
    [Theory(Timeout = TestLimit), InlineData(1, 2, false), InlineData(2, 2, false), InlineData(4, 4, false), InlineData(2, 2, true)]
    public async Task One_way_calls_of_a_key_run_in_the_order_in_which_they_were_made(int fewest, int most, bool ages)
    {
        const int Calls = 12_500;
        int window = fewest == most ? 800 : 100; // calls of a key that are under way at a time: less than a server takes of one
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.UnionWith(ages ? [CloseReason.MaxAge, CloseReason.Disposed] : []); // one may be young, or still draining, when all ends
        var server = scene.StartServer(server => server.AddService<IAccounts>(_notes), options =>
        {
            options.MaxCallsPerConnection = fewest == most ? 10_000 : 500; // a channel whose connections are full adds one
            if (ages) options.MaxConnectionAge = TimeSpan.FromMilliseconds(50);
        });
        var channel = scene.CreateChannel(server, options => (options.MinConnections, options.MaxConnections) = (fewest, most));
        var sut = channel.CreateProxy<IAccounts>();

        var written = Task.WhenAll(Enumerable.Range(0, Keys).Select(account => Task.Run(() => WriteAsync(account))));
        await written.Within("the calls of all keys");
        await _notes.Ran.ReachAsync(Keys * Calls);

        TestContext.Current.TestOutputHelper?.WriteLine($"Connections {fewest}..{most}{(ages ? ", which end" : string.Empty)}: " +
            $"{_notes.OutOfOrder} of {Keys * Calls} one-way calls out of order; {scene.Transport.Dialed.Count} connections.");
        Assert.Equal(0, _notes.OutOfOrder);

        async Task WriteAsync(int account)
        {
            for (int number = 0; number < Calls; number++)
            {
                await sut.Tell(account, number);
                while (number - _notes.LastOf(account) > window) await Task.Yield();
            }
        }
    }
}
