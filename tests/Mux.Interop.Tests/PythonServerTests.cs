using System.Diagnostics;
using System.Globalization;

namespace Mux.Interop.Tests;

/// <summary>A channel at a server in Python, that follows PROTOCOL.md.</summary>
public sealed class PythonServerTests : IAsyncLifetime
{
    private const int Limit = 180_000;

    private PythonProgram? _server;
    private MuxChannel? _channel;

    private ILab Sut => _channel!.CreateProxy<ILab>();

    public async ValueTask InitializeAsync()
    {
        if (PythonProgram.WhyNot is not null) return;
        _server = PythonProgram.Start("server.py");
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = $"mux://{await _server.ReadLineAsync()}" });
    }

    public async ValueTask DisposeAsync()
    {
        if (_channel is not null) await _channel.DisposeAsync();
        if (_server is not null) await _server.DisposeAsync();
    }

    [Fact(Timeout = Limit)]
    public async Task Calls_one_after_the_other_and_together_get_their_own_replies()
    {
        SkipWithoutPython();
        Assert.Equal("hällo", (await Sut.EchoAsync(new LabNote { Text = "hällo" })).Text);
        var calls = Enumerable.Range(0, 500).Select(i => Sut.AddAsync(i, 1).AsTask()).ToList(); // the server allows 100
        for (int i = 0; i < calls.Count; i++) Assert.Equal(i + 1, await calls[i]);
    }

    [Fact(Timeout = Limit)]
    public async Task A_server_that_is_left_the_end_of_connections_ends_each_with_its_call()
    {
        SkipWithoutPython();
        const int Calls = 60;
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = _channel!.Address.ToString(), Lifetime = MuxConnectionLifetime.PerCall, MaxConnections = 1 });
        var sut = channel.CreateProxy<ILab>();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < Calls; i++) Assert.Equal(i + 1, await sut.AddAsync(i, 1));
        Assert.Equal(10, await sut.CountAsync(10, 0).CountAsync());
        await sut.TellAsync("the last");
        Assert.InRange(Stopwatch.GetElapsedTime(start).TotalSeconds, 0, Calls / 2); // the one connection is kept for a second more if it is not ended
    }

    [Fact(Timeout = Limit)]
    public async Task Metadata_travels_both_ways()
    {
        SkipWithoutPython();
        var options = new MuxCallOptions { Metadata = new MuxMetadata { { "color", "red" } }, ResponseMetadata = [] };
        await Sut.EchoAsync(new LabNote { Text = "m" }, options);
        Assert.Equal("red", options.ResponseMetadata!["lab-color"]);
    }

    [Fact(Timeout = Limit)]
    public async Task One_way_calls_arrive_and_free_their_slots()
    {
        SkipWithoutPython();
        for (int i = 0; i < 300; i++) await Sut.TellAsync(i.ToString(CultureInfo.InvariantCulture));
        while (await Sut.CountToldAsync() < 300) Assert.InRange(await Sut.CountToldAsync(), 0, 300);
    }

    [Theory(Timeout = Limit)]
    [InlineData(2_000, 0)]
    [InlineData(50, 100_000)]
    public async Task Streams_of_replies_are_whole(int count, int bytes)
    {
        SkipWithoutPython();
        long number = 0;
        await foreach (var note in Sut.CountAsync(count, bytes))
        {
            Assert.Equal((++number, bytes), (note.Number, note.Bytes?.Length ?? 0));
        }

        Assert.Equal(count, number);
    }

    [Fact(Timeout = Limit)]
    public async Task Streams_of_requests_and_both_ways_are_whole()
    {
        SkipWithoutPython();
        Assert.Equal(1000 * 1001 / 2, await Sut.TotalAsync(NumbersAsync(1000)));
        long number = 0;
        await foreach (var note in Sut.MirrorAsync(NotesAsync(200, 5_000))) Assert.Equal(++number, note.Number);
        Assert.Equal(200, number);
    }

    [Theory(Timeout = Limit)]
    [InlineData(16_384)]
    [InlineData(100_000)]
    [InlineData(3_000_000)]
    public async Task Large_messages_travel_both_ways(int length)
    {
        SkipWithoutPython();
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        Assert.Equal(bytes, (await Sut.EchoAsync(new LabNote { Bytes = bytes })).Bytes);
    }

    [Fact(Timeout = Limit)]
    public async Task Calls_that_are_cancelled_or_out_of_time_end_and_free_their_slots()
    {
        SkipWithoutPython();
        for (int i = 0; i < 150; i++) // more than the server allows at a time
        {
            using var cancellation = new CancellationTokenSource();
            var call = Sut.WaitAsync(cancellation.Token).AsTask();
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        }

        using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }.Apply())
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Sut.WaitAsync().AsTask());
            Assert.Equal(MuxStatus.DeadlineExceeded, error.Status);
        }

        Assert.Equal(3, await Sut.AddAsync(1, 2));
    }

    [Fact(Timeout = Limit)]
    public async Task Failures_arrive_with_status_text_and_time_to_retry()
    {
        SkipWithoutPython();
        var error = await Assert.ThrowsAsync<MuxException>(() => Sut.FailAsync((long)MuxStatus.NotFound, "no such thing").AsTask());
        Assert.Equal((MuxStatus.NotFound, MuxExecution.Executed, "no such thing", TimeSpan.FromMilliseconds(1500)), (error.Status, error.Execution, error.Message, error.RetryAfter));
        error = await Assert.ThrowsAsync<MuxException>(() => Sut.FailAsync(77, "of no meaning").AsTask());
        Assert.Equal(MuxStatus.Internal, error.Status);
        Assert.Contains("77", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = Limit)]
    public async Task A_server_that_drains_loses_no_call()
    {
        SkipWithoutPython();
        Assert.Equal(1, await Sut.AddAsync(1, 0));
        var calls = Enumerable.Range(0, 90).Select(i => Sut.AddAsync(i, 1).AsTask()).ToList();
        var drained = await _server!.TellAsync("drain");
        for (int i = 0; i < calls.Count; i++) Assert.Equal(i + 1, await calls[i]);

        Assert.Contains("drained", drained, StringComparison.Ordinal);
        Assert.Equal(5, await Sut.AddAsync(2, 3)); // over another connection
    }

    [Fact(Timeout = Limit)]
    public async Task A_channel_that_ends_leaves_in_order()
    {
        SkipWithoutPython();
        Assert.Equal(1, await Sut.AddAsync(1, 0));
        await _channel!.DisposeAsync();

        Assert.Equal("ended: 0 connections; code None: drained", await _server!.TellAsync("ended"));
    }

    private static void SkipWithoutPython() => Assert.SkipWhen(PythonProgram.WhyNot is not null, PythonProgram.WhyNot ?? string.Empty);

    private static async IAsyncEnumerable<long> NumbersAsync(int count)
    {
        for (long i = 1; i <= count; i++) yield return i;
        await Task.CompletedTask;
    }

    private static async IAsyncEnumerable<LabNote> NotesAsync(int count, int bytes)
    {
        for (long i = 1; i <= count; i++) yield return new LabNote { Number = i, Bytes = new byte[bytes] };
        await Task.CompletedTask;
    }
}
