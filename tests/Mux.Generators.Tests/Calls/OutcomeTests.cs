using Mux.Contracts;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Options, results and details through generated proxies and dispatch stubs, back to back.</summary>
public sealed class OutcomeTests
{
    private readonly OutcomesImplementation _implementation = new();
    private readonly LoopbackInvoker _invoker;
    private readonly IOutcomes _proxy;

    public OutcomeTests()
    {
        _invoker = new LoopbackInvoker(_implementation);
        _proxy = ServiceContract<IOutcomes>.Get().CreateProxy(_invoker);
    }

    [Fact]
    public async Task Options_reach_the_handler_and_are_no_argument()
    {
        var options = new MuxCallOptions { Peer = "seven" };
        Assert.Equal("<seven", await _proxy.Tenant("<", options, TestContext.Current.CancellationToken));
        Assert.Same(options, _implementation.LastOptions);
        Assert.Equal((3, 8), _invoker.LastSizes);
        await _proxy.Touch(options);
        Assert.True(_invoker.LastHadOptions);
        Assert.Equal(0, _invoker.LastSizes.Request);
    }

    [Fact]
    public async Task Options_that_were_not_given_are_made_for_a_handler_that_takes_them()
    {
        Assert.Null(await _proxy.Tenant("<", cancellationToken: TestContext.Current.CancellationToken));
        Assert.NotNull(_implementation.LastOptions);
    }

    [Fact]
    public async Task Methods_without_options_call_without_them()
    {
        await _proxy.Touch(null!);
        Assert.True(_invoker.LastHadOptions);
        await _proxy.Ignore(1);
        Assert.False(_invoker.LastHadOptions);
    }

    [Fact]
    public async Task Streams_take_options_too()
    {
        var options = new MuxCallOptions { Peer = "p" };
        Assert.Equal(["p", "p"], await _proxy.Tenants(2, options).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal("p3", await _proxy.Upload(new[] { 1, 2 }.ToAsyncEnumerable(), options));
    }

    [Fact]
    public async Task A_result_holds_the_reply()
    {
        Assert.Equal("oak", (await _proxy.FindAsync("leaf")).Value.Name);
        Assert.True((await _proxy.Try(true)).IsSuccess);
        Assert.Equal((2, 0), _invoker.LastSizes);
        Assert.Empty((await _proxy.Numbers()).Value);
    }

    [Fact]
    public async Task A_result_holds_the_failure_whether_it_was_thrown_or_returned()
    {
        var thrown = (await _proxy.FindAsync("thrown")).Failure!;
        Assert.Equal((MuxStatus.NotFound, "thrown", "thrown"), (thrown.Status, thrown.Message, Assert.IsType<Leaf>(thrown.Detail).Name));
        Assert.Equal("not now", (await _proxy.Try(false)).Failure!.Message);
    }

    [Theory]
    [InlineData("stranger")]
    [InlineData("nothing")]
    public async Task A_detail_that_the_contract_does_not_declare_is_left_behind(string kind)
    {
        Assert.Null((await _proxy.FindAsync(kind)).Failure!.Detail);
    }

    [Fact]
    public async Task Details_of_the_method_and_of_its_service_travel()
    {
        Assert.Equal(new Point(3, 4), (await _proxy.FindAsync("point")).Failure!.Detail);
        Assert.Equal("oak", Assert.IsType<Leaf>((await FailureAsync(() => _proxy.Fail("leaf"))).Detail).Name);
        Assert.Equal(new Point(0, 0), (await FailureAsync(() => _proxy.Fail("point"))).Detail);
        Assert.Equal("oak", Assert.IsType<Leaf>((await FailureAsync(() => _proxy.FailUpload(AsyncEnumerable.Empty<int>()))).Detail).Name);
    }

    [Fact]
    public async Task A_stream_ends_with_the_detail_of_its_failure()
    {
        await using var items = _proxy.FailAfter(1).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        Assert.Equal("oak", Assert.IsType<Leaf>((await Assert.ThrowsAsync<MuxException>(async () => await items.MoveNextAsync())).Detail).Name);
    }

    [Fact]
    public void A_detail_with_a_number_of_another_contract_is_nothing() => Assert.Null(DetailOf<IOutcomes>("test.Outcomes/Fail", 65535));

    [Fact]
    public void A_detail_is_known_by_the_number_that_the_contract_gives_it()
    {
        Assert.IsType<Leaf>(DetailOf<IOutcomes>("test.Outcomes/Fail", 7));
        Assert.IsType<Point>(DetailOf<IOutcomes>("test.Outcomes/Fail", 1));
        Assert.IsType<Point>(DetailOf<IOutcomes>("test.Outcomes/Find", 65535));
    }

    private static async Task<MuxException> FailureAsync(Func<ValueTask> call) => await Assert.ThrowsAsync<MuxException>(async () => await call());

    private static object? DetailOf<TService>(string method, int number)
        where TService : class
    {
        var visitor = new MethodCollector();
        ServiceContract<TService>.Get().Describe(visitor);
        return visitor.Details[method](number);
    }
}
