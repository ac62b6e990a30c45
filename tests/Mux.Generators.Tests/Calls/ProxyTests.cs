using Mux.Contracts;
using Mux.Generators.Tests.Contracts;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Generated proxies and dispatch stubs, back to back.</summary>
public sealed class ProxyTests
{
    private readonly CallsImplementation _implementation = new();
    private readonly LoopbackInvoker _invoker;
    private readonly ICalls _proxy;

    public ProxyTests()
    {
        _invoker = new LoopbackInvoker(_implementation);
        _proxy = ServiceContract<ICalls>.Get().CreateProxy(_invoker);
    }

    [Fact]
    public async Task A_method_without_arguments_and_result_sends_nothing()
    {
        await _proxy.Nothing();
        Assert.Equal(["Nothing"], _implementation.Log);
        Assert.Equal((0, 0), _invoker.LastSizes);
    }

    [Fact]
    public async Task A_method_that_completes_later_is_awaited()
    {
        await _proxy.NothingLaterAsync(5, CancellationToken.None);
        Assert.Equal(["Nothing 5"], _implementation.Log);
    }

    [Fact]
    public async Task Messages_travel_as_themselves()
    {
        var leaf = new Leaf("oak", 7);
        Assert.Equal(8, (await _proxy.Message(leaf)).Weight);
        Assert.Equal((7, 7), _invoker.LastSizes);
        Assert.Equal(9, (await _proxy.MessageTask(leaf, CancellationToken.None)).Weight);
        await _proxy.TaskWithoutResultAsync(leaf, TestContext.Current.CancellationToken);
        Assert.Equal(["Task oak"], _implementation.Log);
    }

    [Fact]
    public async Task Several_arguments_travel_together()
    {
        Assert.Equal("a|b|1,2|oak", await _proxy.JoinAsync("a", "b", [1, 2], new Leaf("oak", 0), CancellationToken.None));
        Assert.Equal("a|null||null", await _proxy.JoinAsync("a", null, [], null, CancellationToken.None));
        Assert.Null(await _proxy.JoinAsync(null, null, [], null, CancellationToken.None));
    }

    [Fact]
    public async Task Bare_values_travel_as_the_first_field()
    {
        Assert.Equal(0, await _proxy.Number());
        Assert.Equal((0, 2), _invoker.LastSizes);
        Assert.Equal(new Point(2, 1), await _proxy.Struct(new Point(1, 2)));
        Assert.Equal(new Point(1, 2), await _proxy.MaybeStruct(new Point(1, 2)));
        Assert.Null(await _proxy.MaybeStruct(null));
        Assert.Equal((byte[])[1, 2], (await _proxy.Bytes([1, 2]))!);
        Assert.Empty((await _proxy.Bytes([]))!);
        Assert.Null(await _proxy.Bytes(null));
    }

    [Fact]
    public async Task Lists_of_messages_travel_in_order()
    {
        var leaves = await _proxy.Leaves([new Leaf("a", 1), new Leaf("b", 2)]);
        Assert.Equal(["b", "a"], leaves.Select(static leaf => leaf.Name));
        Assert.Empty(await _proxy.Leaves([]));
    }

    [Fact]
    public async Task Overloads_and_names_that_are_keywords_reach_their_methods()
    {
        Assert.Equal(3, await _proxy.Number("abc"));
        Assert.Equal(4, await _proxy.@event(9, 5));
    }

    [Fact]
    public async Task One_way_methods_are_called_without_a_result()
    {
        await _proxy.FireAndForget("now");
        await _proxy.FireTaskAsync();
        Assert.Equal(["Fire now", "FireTask"], _implementation.Log);
    }

    [Fact]
    public async Task The_token_is_handed_on_and_its_absence_too()
    {
        using var source = new CancellationTokenSource();
        await _proxy.JoinAsync("a", null, [], null, source.Token);
        Assert.Equal(source.Token, _implementation.LastToken);
    }

    [Theory]
    [InlineData("now")]
    [InlineData("late")]
    public async Task A_failure_of_the_implementation_comes_out_of_the_call(string kind)
    {
        var exception = await Assert.ThrowsAsync<InvalidOperationException>(async () => await _proxy.Fail(kind));
        Assert.Equal(kind, exception.Message);
    }

    [Fact]
    public async Task Null_in_place_of_a_message_fails_the_call()
    {
        var exception = await Assert.ThrowsAsync<ArgumentNullException>(async () => await _proxy.Message(null!));
        Assert.Contains("ICalls.Message(leaf)", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_contract_of_an_assembly_that_nothing_has_touched_is_found()
    {
        var proxy = ServiceContract<IDirectory>.Get().CreateProxy(new LoopbackInvoker(new Directory()));
        Assert.Equal(7, (await proxy.SearchAsync(new SearchEmployee { Id = 7 }, TestContext.Current.CancellationToken)).EmployeeId);
        Assert.Equal("hr.Directory", ServiceContract<IDirectory>.Get().Name);
    }

    [Fact]
    public void An_interface_that_is_no_contract_is_refused_with_the_reason()
    {
        var exception = Assert.Throws<InvalidOperationException>(ServiceContract<IDisposable>.Get);
        Assert.Contains("[MuxService", exception.Message, StringComparison.Ordinal);
    }

    private sealed class Directory : IDirectory
    {
        public ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default) => new(new Employee { EmployeeId = query.Id });
    }
}
