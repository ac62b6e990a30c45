using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Load;

/// <summary>Streams of a server that does something wrong once and then stops the run.</summary>
public sealed class StreamTokenTests
{
    private readonly LoadState _state = new(HandlerProfile.Plain);

    [Theory]
    [InlineData("1 2 3", 0)]
    [InlineData("1 3 2", 2)]
    [InlineData("1 2", 1)] // ended early
    [InlineData("1 2 3 4", 1)] // ended late
    [InlineData("1 1 3", 1)]
    public async Task Items_of_a_server_that_are_not_the_ones_whose_turn_it_is_are_wrong(string numbers, int wrong)
    {
        var streams = new ScriptedStreams { Items = [.. numbers.Split(' ').Select(long.Parse)], Ended = _state.Stop };

        await new ServerStreamToken(streams, new TokenPlace(0, 1), Configure(Workload.ServerStream), _state).MakeStreamsAsync();

        Assert.Equal(wrong, Sum().WrongReplies);
    }

    [Theory]
    [InlineData(3, 0, 0)]
    [InlineData(2, 0, 1)]
    [InlineData(3, 1, 1)]
    public async Task A_server_that_counts_something_else_is_wrong(int items, int wrongItems, int wrong)
    {
        var streams = new ScriptedStreams { Tally = new ItemTally { Items = items, Wrong = wrongItems }, Ended = _state.Stop };

        await new ClientStreamToken(streams, new TokenPlace(0, 1), Configure(Workload.ClientStream), _state).MakeStreamsAsync();

        Assert.Equal(wrong, Sum().WrongReplies);
        Assert.Equal(3 + wrong, Sum().Replies);
    }

    [Theory]
    [InlineData("1 2 3", 0)]
    [InlineData("2 1 3", 2)]
    [InlineData("1 2", 1)]
    [InlineData("1 2 3 4", 2)] // one that was not asked for, and the end
    public async Task Answers_in_an_exchange_come_in_the_order_of_the_queries_and_once(string numbers, int wrong)
    {
        var streams = new ScriptedStreams { Items = [.. numbers.Split(' ').Select(long.Parse)], Ended = _state.Stop };

        await new EmployeeExchangeToken(streams, new TokenPlace(0, 1), Configure(Workload.Duplex) with { Window = 10 }, _state).MakeStreamsAsync();

        Assert.Equal(wrong, Sum().WrongReplies);
    }

    [Fact]
    public async Task A_stream_that_fails_is_a_failed_call()
    {
        var streams = new ScriptedStreams { Failure = new MuxException(MuxStatus.Internal, "A test."), Ended = _state.Stop };

        await new ServerStreamToken(streams, new TokenPlace(0, 1), Configure(Workload.ServerStream), _state).MakeStreamsAsync();

        Assert.Equal(1, Assert.Single(_state.Failures()).Value);
        Assert.Equal(0, Sum().Replies);
    }

    private LatencyHistogram Sum() => _state.Recorders.SumInto(new LatencyHistogram());

    private static BenchConfiguration Configure(Workload workload) => new()
    {
        Target = null,
        Workload = workload,
        Size = null,
        Connections = 1,
        InFlight = 1,
        Warmup = TimeSpan.Zero,
        Duration = TimeSpan.Zero,
        StreamItems = 3,
    };
}
