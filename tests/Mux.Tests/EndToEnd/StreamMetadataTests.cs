using System.Runtime.CompilerServices;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Metadata that a handler adds before its first item is there with that item, and the rest at the end.</summary>
public sealed class StreamMetadataTests : EndToEndTests
{
    private readonly MuxMetadata _response = [];
    private readonly TaskCompletionSource _rest = new(TaskCreationOptions.RunContinuationsAsynchronously); // lets the handler go on behind its first item

    [Theory(Timeout = TestLimit)]
    [InlineData(10, 1)]
    [InlineData(0, 1)]
    [InlineData(16_384, 1)]
    [InlineData(16_384, 8_000)]
    [InlineData(100_000, 8_000)]
    public async Task A_caller_reads_it_with_the_first_item_and_the_rest_at_the_end(int size, int ahead)
    {
        var items = Start().Proclaim(3, size, ahead, options: Options(), cancellationToken: TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await using var _ = items.ConfigureAwait(true);

        Assert.True(await items.MoveNextAsync());
        Assert.Equal([ahead, 1], _response.Select(entry => entry.Bytes.Length));
        _rest.SetResult();
        int count = 0;
        do Assert.Equal((size, true), (items.Current.Length, items.Current.All(b => b == count)));
        while (++count > 0 && await items.MoveNextAsync());

        Assert.Equal(3, count);
        Assert.Equal(["ahead", "count", "behind"], _response.Select(entry => entry.Key));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stream_without_items_brings_all_of_it_at_its_end()
    {
        _rest.SetResult();
        Assert.Empty(await Start().Proclaim(0, 1, options: Options(), cancellationToken: TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));

        Assert.Equal(["ahead", "count", "behind"], _response.Select(entry => entry.Key));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_failure_behind_items_brings_the_rest()
    {
        _rest.SetResult();
        var items = Start().Proclaim(1, 1, fails: true, options: Options(), cancellationToken: TestContext.Current.CancellationToken);

        await items.ToListAsync(TestContext.Current.CancellationToken).AsTask().FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler);

        Assert.Equal(["ahead", "count", "behind"], _response.Select(entry => entry.Key));
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_entry_that_the_handler_changes_reads_as_changed_at_the_end()
    {
        var items = Start().Proclaim(1, 1, options: Options(), cancellationToken: TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await using var _ = items.ConfigureAwait(true);

        Assert.True(await items.MoveNextAsync());
        _response.Add("caller", "own");
        Assert.Equal("0", _response["count"]);
        _rest.SetResult();
        Assert.False(await items.MoveNextAsync());

        Assert.Equal("1", _response["count"]);
        Assert.Equal(["ahead", "caller", "count", "behind"], _response.Select(entry => entry.Key));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_first_item_that_is_refused_takes_no_metadata_with_it()
    {
        _rest.SetResult();

        await Start().Proclaim(1, 5_000_000, options: Options(), cancellationToken: TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken)
            .AsTask().FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);

        Assert.Equal(["ahead", "count"], _response.Select(entry => entry.Key));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Too_much_of_it_fails_the_call_at_its_end_with_the_limit()
    {
        _rest.SetResult();
        var failure = await Start().Proclaim(1, 1, 9_000, options: Options(), cancellationToken: TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken).AsTask()
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);

        Assert.Contains("8192", failure.Message, StringComparison.Ordinal);
    }

    private MuxCallOptions Options() => new() { ResponseMetadata = _response };

    private IHerald Start()
    {
        var scene = Begin(TransportKind.InMemory);
        return scene.CreateChannel(scene.StartServer(server => server.AddService<IHerald>(new Herald(_rest.Task)))).CreateProxy<IHerald>();
    }

    private sealed class Herald(Task rest) : IHerald
    {
        public async IAsyncEnumerable<byte[]> Proclaim(
            int count, int size, int ahead, bool fails, MuxCallOptions? options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            options!.ResponseMetadata!.Add("ahead", new byte[ahead]);
            options.ResponseMetadata["count"] = "0";
            await Task.Yield();
            for (int i = 0; i < count; i++)
            {
                var item = new byte[size];
                item.AsSpan().Fill((byte)i);
                yield return item;
                await rest.WaitAsync(cancellationToken);
            }

            options.ResponseMetadata["count"] = $"{count}";
            options.ResponseMetadata.Add("behind", "1");
            if (fails) throw new MuxException(MuxStatus.Aborted, "as asked");
        }
    }
}
