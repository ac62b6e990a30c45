using System.Text;
using Mux.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Forwarding;

namespace Mux.Tests.RawCalls;

/// <summary>Calls by name, of a service whose messages are bytes.</summary>
public sealed class RawCallerTests : EndToEndTests
{
    private const string Service = "shop.Orders";

    private readonly Shop _shop = new();
    private MuxChannel? _channel;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task All_shapes_of_methods_carry_the_bytes(TransportKind kind)
    {
        Start(kind);
        Assert.Equal([1, 2], await CallAsync("Ask", MethodShape.Unary, new byte[] { 1, 2 }));
        Assert.Equal([3, 4, 5], await CallAsync("Collect", MethodShape.RequestStream, default, Items([3], [4, 5])));
        Assert.Equal([[6], [6], [6]], await ListAsync("List", MethodShape.ResponseStream, new byte[] { 6 }));
        Assert.Equal([[7], [8, 9]], await ListAsync("Talk", MethodShape.Duplex, default, Items([7], [8, 9])));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_one_way_call_completes_when_it_is_queued()
    {
        Start();
        Assert.Empty(await CallAsync("Tell", MethodShape.OneWay, new byte[] { 1 }));
        await _shop.Started.ReachAsync(1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Large_messages_come_back_as_they_went()
    {
        Start();
        var bytes = new byte[300_000];
        new Random(7).NextBytes(bytes);
        Assert.Equal(bytes, await CallAsync("Ask", MethodShape.Unary, bytes));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Options_go_with_the_call()
    {
        Start();
        MuxCallOptions? seen = null;
        _shop.OnAsk = (question, options, _) =>
        {
            seen = options;
            return new(question);
        };
        await Caller("Ask", MethodShape.Unary).CallAsync(
            default(ReadOnlyMemory<byte>), new MuxCallOptions { Metadata = new MuxMetadata { { "tenant", "7" } }, Timeout = TimeSpan.FromMinutes(1) }, TestContext.Current.CancellationToken);
        Assert.Equal("7", seen!.Metadata!["tenant"]);
        Assert.NotNull(seen.Timeout);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_cancelled_call_ends_its_handler()
    {
        Start();
        using var cancel = new CancellationTokenSource();
        var ended = new Signal("the end of the handler");
        _shop.OnAsk = async (question, _, token) =>
        {
            await using var registration = token.Register(ended.Set);
            await ended.WaitAsync();
            token.ThrowIfCancellationRequested();
            return question;
        };
        var call = Caller("Ask", MethodShape.Unary).CallAsync(default, (MuxCallOptions?)null, cancel.Token).AsTask();
        await _shop.Started.ReachAsync(1);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await ended.WaitAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_detail_of_a_failure_comes_undecoded()
    {
        Start();
        _shop.OnAsk = static (_, _, _) => throw new MuxException(new MuxFailure(MuxStatus.NotFound, "no such order", Encoding.UTF8.GetBytes("order 3")));
        var error = await Assert.ThrowsAsync<MuxException>(() => CallAsync("Ask", MethodShape.Unary));
        var detail = Assert.IsType<RawDetail>(error.Detail);
        Assert.Equal((MuxStatus.NotFound, 7, "order 3"), (error.Status, detail.Number, Encoding.UTF8.GetString(detail.Body.Span)));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_name_or_shape_that_the_server_does_not_have_is_unimplemented()
    {
        Start();
        foreach (var method in new[] { "Nothing", "List" })
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => CallAsync(method, MethodShape.Unary));
            Assert.Equal((MuxStatus.Unimplemented, MuxExecution.NotExecuted), (error.Status, error.Execution));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_for_another_shape_says_so_before_anything_is_sent()
    {
        Start();
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => CallAsync("List", MethodShape.ResponseStream));
        Assert.Contains("has the shape ResponseStream", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<InvalidOperationException>(() => ListAsync("Talk", MethodShape.Duplex));
        await Assert.ThrowsAsync<InvalidOperationException>(() => ListAsync("List", MethodShape.ResponseStream, default, Items()));
        await Assert.ThrowsAsync<InvalidOperationException>(() => CallAsync("Ask", MethodShape.Unary, default, Items()));
        Assert.Equal(0, _channel!.GetStatistics().CallsStarted);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("", "Ask", MethodShape.Unary)]
    [InlineData("shop.Orders", "", MethodShape.Unary)]
    [InlineData("shop/Orders", "Ask", MethodShape.Unary)]
    [InlineData("shop.Orders", "Ask/2", MethodShape.Unary)]
    [InlineData("shop.Orders", "Ask", MethodShape.OneWay | MethodShape.RequestStream)]
    [InlineData("shop.Orders", "Ask", (MethodShape)8)]
    public void What_no_method_can_be_called_is_refused(string service, string method, MethodShape shape)
    {
        Start();
        Assert.ThrowsAny<ArgumentException>(() => _channel!.CreateRawCaller(service, method, shape));
    }

    /// <summary>The tables of connections have a row per method, for as long as the process lives.</summary>
    [Fact(Timeout = TestLimit)]
    public void Callers_of_one_method_share_its_place()
    {
        Start();
        Assert.Same(Caller("Ask", MethodShape.Unary).Method, Caller("Ask", MethodShape.Unary).Method);
        Assert.NotSame(Caller("Ask", MethodShape.Unary).Method, Caller("Ask", MethodShape.OneWay).Method);
    }

    private void Start(TransportKind kind = TransportKind.InMemory)
    {
        var scene = Begin(kind);
        _channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IShop>(_shop)));
    }

    private RawCaller Caller(string method, MethodShape shape) => _channel!.CreateRawCaller(Service, method, shape, "raw");

    private async Task<byte[]> CallAsync(
        string method, MethodShape shape, ReadOnlyMemory<byte> request = default, IAsyncEnumerable<ReadOnlyMemory<byte>>? items = null)
    {
        var token = TestContext.Current.CancellationToken;
        return items is null
            ? await Caller(method, shape).CallAsync(request, cancellationToken: token)
            : await Caller(method, shape).CallAsync(request, items, cancellationToken: token);
    }

    private async Task<List<byte[]>> ListAsync(
        string method, MethodShape shape, ReadOnlyMemory<byte> request = default, IAsyncEnumerable<ReadOnlyMemory<byte>>? items = null) =>
        await Caller(method, shape).StreamAsync(request, items, cancellationToken: TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken);

    private static async IAsyncEnumerable<ReadOnlyMemory<byte>> Items(params byte[][] items)
    {
        foreach (var item in items) yield return item;
        await Task.CompletedTask;
    }
}
